import { entityNames } from "@purser/contract/entities";
import { getEntitlements, testCheck } from "@purser/contract/entitlements/explanation";
import { listSubscribers } from "@purser/contract/entitlements/grants";
import { getAppIntegration } from "@purser/contract/integration/endpoints";
import { listPackages } from "@purser/contract/packages/endpoints";
import { previewImpact } from "@purser/contract/packages/publishing";
import { listAttention } from "@purser/contract/reports/attention";
import { expect, test } from "vitest";
import { findBroken, type Query } from "../modules/transactions/testing/invariants.testing.ts";
import { testProduct } from "../testing.ts";
import { ledger } from "./ledger.ts";
import { seed } from "./seed.ts";
import { runHere } from "./testing.ts";

const { call, signIn, config, owner } = await testProduct();
const admin = await signIn("admin");

const seedHere = (...words: string[]) => runHere(config, seed, ...words);

// Loads the demo here, because it takes longer than a test may.
const first = (await seedHere()).stdout;

const query: Query = async (text, values) => (await owner.query(text, values)).rows;
const one = async (text: string) => Object.values((await owner.query(text)).rows[0] ?? {})[0];

const summary = (counts: readonly (number | string)[]) => {
  const things = ["tax rates", "team members", "apps", "features", "packages", "promotions"];
  return [...things, "customers", "transactions", "invoices and credit notes"]
    .map((what, place) => `Made ${counts[place]} demo ${what}.\n`)
    .join("");
};

test("seed loads the demo once", async () => {
  for (const name of entityNames) {
    const { rowCount } = await owner.query(`select from ${name} limit 1`);
    expect(rowCount, `Add demo data of ${name} to seedDemo.ts.`).toBe(1);
  }
  expect(first).toMatch(new RegExp(`^${summary([12, 5, 12, 37, 7, 5, 300, "\\d{3}", "\\d{3}"])}$`));
  expect((await seedHere()).stdout).toBe(summary(Array(9).fill(0)));
});

test("I2 I4 I5 I8 I9 I12 I14 the demo breaks no invariant, and its ledger is correct", async () => {
  expect(await findBroken(query)).toEqual([]);
  const { stdout } = await runHere(config, ledger, "verify");
  expect(stdout).toContain("The ledger is correct.");
});

test("the demo contains every kind of money", async () => {
  const found = async (text: string) =>
    new Set((await query<{ it: string }>(text)).map(({ it }) => it));
  const kinds = await found(`select distinct kind || ' ' || state as it from transactions`);
  for (const kind of [
    ...["purchase succeeded", "purchase failed", "purchase pending", "purchase draft"],
    ...["purchase disputed", "renewal succeeded", "renewal failed", "change succeeded"],
    ...["change pending", "refund succeeded", "chargeback succeeded"],
  ])
    expect(kinds).toContain(kind);
  const events = await found("select distinct type as it from transaction_events");
  expect(events).toContain("dispute won");
  expect(events).toContain("dispute lost");
  expect(await found("select distinct status as it from subscriptions")).toEqual(
    new Set(["trialing", "active", "past due", "paused", "ending", "ended"]),
  );
  expect(await found("select distinct tax_treatment as it from transaction_lines")).toEqual(
    new Set(["none", "rate", "reverse charge"]),
  );
  const balance = await found("select distinct kind as it from balance_entries");
  for (const kind of ["credit", "payment", "refund", "added"]) expect(balance).toContain(kind);
  expect(
    await found(
      "select distinct role as it from users where role is not null and email not like '%-%'",
    ),
  ).toEqual(new Set(["owner", "finance", "support", "catalog", "viewer"]));
  expect(await one("select max(quantity) from subscriptions")).toBeGreaterThan(4);
  expect(
    await one("select count(*)::int from redemptions where code_id is not null"),
  ).toBeGreaterThan(20);
  expect(
    await one("select count(*)::int from transaction_lines where position = 1"),
  ).toBeGreaterThan(0);
  expect(
    await one("select count(*)::int from subscription_pauses where resumed_at is not null"),
  ).toBeGreaterThan(0);
});

test("every settled payment of the demo has its documents, numbered without gaps", async () => {
  expect(
    await query(`
      select t.number from transactions t where t.settled_at is not null and t.total > 0
        and not exists (select from documents d where d.transaction_id = t.id)`),
  ).toEqual([]);
  expect(
    await query(`
      select kind, extract(year from issued_at) as year from documents group by 1, 2
      having count(*) <> max(right(number, 6)::int)`),
  ).toEqual([]);
});

test("the demo reads as people write", async () => {
  expect(
    await query(`
      select distinct f ->> 'words' as words from transactions, jsonb_array_elements(snapshot -> 'features') f
      where f ->> 'words' in ('true', 'false') or f ->> 'words' ~ '^[a-z-]+$'`),
  ).toEqual([]);
  const dated = await query<{ day: string; occurred: string }>(`
    select substring(reference from '\\d{4}-\\d{2}-\\d{2}') as day,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as occurred
    from transactions where reference ~ '\\d{4}-\\d{2}-\\d{2}'`);
  expect(dated.length).toBeGreaterThan(50);
  for (const { day, occurred } of dated) expect(day).toBe(occurred);
});

test("the records of the demo are as old as what they are about", async () => {
  expect(await one("select count(*)::int from transactions where created_at <> occurred_at")).toBe(
    0,
  );
  for (const table of ["subscriptions", "grants", "balance_entries"])
    expect(await one(`select min(created_at) < now() - interval '30 days' from ${table}`)).toBe(
      true,
    );
});

const packageCalled = async (code: string) => {
  const { body } = await call(admin, listPackages, { query: { f: [`code:is:${code}`] } });
  const [found] = body.items;
  if (!found) throw new Error(`The demo has no package ${code}.`);
  return found;
};

test("the draft of Studio takes something from customers who use it, in four currencies", async () => {
  const { id, draft } = await packageCalled("studio");
  expect(draft?.number).toBe(4);
  const { body } = await call(admin, previewImpact, {
    params: { id },
    body: { addApps: [], removeApps: [], cells: [] },
  });
  expect(body.subscribers).toBeGreaterThan(100);
  expect(body.blockingIssues).toEqual([]);
  const storage = body.effects.find(({ feature }) => feature.code === "storage");
  expect(storage?.lose).toBeGreaterThan(0);
  expect(storage?.above).toBeGreaterThan(0);
  expect(body.gain).toBeGreaterThan(0);
  expect(body.renewals.map(({ currency }) => currency)).toEqual(["EUR", "GBP", "JPY", "USD"]);
});

test("the customers have several versions and add-ons, and some have manual grants", async () => {
  const { rows } = await owner.query<{ versions: number; reasons: number; both: string }>(
    `select (select count(distinct version_id)::int from subscriptions) as versions,
       (select count(distinct reason)::int from grants where source = 'manual') as reasons,
       (select u.id from users u where exists (
          select from grants g join packages p on p.id = g.package_id
          where g.user_id = u.id and p.code = 'more-storage' and g.starts_at <= $1 and g.ends_at > $1
        ) and exists (
          select from grants g join packages p on p.id = g.package_id
          where g.user_id = u.id and p.code = 'team' and g.starts_at <= $1 and g.ends_at > $1
        ) order by u.id limit 1) as both`,
    [new Date()],
  );
  expect(rows[0]).toMatchObject({ versions: 10, reasons: 4 });
  const { body } = await call(admin, getEntitlements, { params: { id: rows[0]?.both ?? "" } });
  const storage = body.items.find(
    ({ app, feature }) => app.code === "ledgerly" && feature.code === "storage",
  );
  expect(storage).toMatchObject({ value: 350 });
  const subscribers = await call(admin, listSubscribers, {
    params: { id: (await packageCalled("solo")).id },
  });
  expect(subscribers.body.items).toHaveLength(25);
});

test("seed creates the requested number of audited apps", async () => {
  await seedHere("--apps", "1000");
  await seedHere("--apps", "500");
  const { rows } = await owner.query(`
    select (select count(*)::int from apps) as apps,
      (select count(*)::int from audit_entries where entity = 'apps' and actor_name = 'seed') as audited,
      (select count(distinct status)::int from apps where code like 'bulk-%') as statuses`);
  expect(rows).toEqual([{ apps: 1512, audited: 1512, statuses: 3 }]);
  const { rows: features } = await owner.query(`
    select count(distinct app_id)::int as apps, count(distinct kind)::int as kinds,
      count(distinct status)::int as statuses,
      (select count(*)::int from audit_entries where entity = 'features' and actor_name = 'seed') as audited
    from features`);
  expect(features).toEqual([{ apps: 12, kinds: 4, statuses: 3, audited: 37 }]);
});

test("seed creates the requested customers and grants, with subscribers of four versions", async () => {
  const { stdout } = await seedHere("--users", "2000", "--subscribers", "400", "--grants", "3000");
  expect(stdout).toContain("2,000 of 2,000 customers\n");
  await seedHere("--users", "100");
  const { rows } = await owner.query(`
    select count(*)::int as grants, count(distinct g.user_id)::int as customers,
      count(distinct g.package_id)::int as packages, count(g.subscription_id)::int as subscribers,
      count(distinct g.version_id) filter (where g.subscription_id is not null)::int as versions,
      count(distinct s.price_id)::int as prices,
      bool_and(price.version_id = s.version_id) as bought,
      bool_and(g.starts_at <= now() and g.ends_at > now()) filter (where s.id is not null) as held
    from users u join grants g on g.user_id = u.id left join subscriptions s on s.id = g.subscription_id
    left join version_prices price on price.id = s.price_id
    where u.email like 'many-%'`);
  expect(rows).toEqual([
    {
      grants: 3150,
      customers: 2100,
      packages: 12,
      subscribers: 420,
      versions: 4,
      prices: 32,
      bought: true,
      held: true,
    },
  ]);
  const { rows: audited } = await owner.query(`
    select entity, count(*)::int from audit_entries e
    where actor_name = 'seed' and record_id in (
      select id from users where email like 'many-%'
      union select s.id from subscriptions s join users u on u.id = s.user_id where u.email like 'many-%'
    ) group by entity order by entity`);
  expect(audited).toEqual([
    { entity: "subscriptions", count: 420 },
    { entity: "users", count: 2100 },
  ]);
});

test("seed refuses numbers that contradict each other", async () => {
  const refusal = async (...words: string[]) => (await seedHere(...words)).stderr.trim();
  expect(await refusal("--users", "10", "--subscribers", "11")).toBe(
    "--subscribers can't be greater than --users.",
  );
  expect(await refusal("--users", "10", "--subscribers", "5", "--grants", "4")).toBe(
    "--grants can't be less than --subscribers.",
  );
  expect(await refusal("--grants", "4")).toContain("require --users");
});

test("customers of the demo are denied only what they don't have", async () => {
  const denials = await query<{ user: string; app: string; feature: string; reason: string }>(
    `select distinct on (app_id, feature, reason) user_id as user, app_id as app, feature, reason
     from check_denials order by app_id, feature, reason, user_id`,
  );
  expect(denials.length).toBeGreaterThan(3);
  for (const { user, app, feature, reason } of denials) {
    const { body } = await call(admin, testCheck, {
      params: { id: user },
      query: { app, feature },
    });
    expect(body.answer).toMatchObject({ allowed: false, reason });
  }
  const apps = await query<{ id: string; denied: number }>(
    `select app_id as id, sum(denials)::int as denied from check_denials group by app_id`,
  );
  for (const { id, denied } of apps)
    for (const period of ["hour", "day", "month"] as const) {
      const { body } = await call(admin, getAppIntegration, { params: { id }, query: { period } });
      const sum = (rows: readonly { checks: number }[]) =>
        rows.reduce((all, { checks }) => all + checks, 0);
      expect([sum(body.points), sum(body.features), sum(body.keys)], period).toEqual(
        Array(3).fill(body.checks),
      );
      expect(sum(body.reasons)).toBe(body.denied);
      if (period !== "hour") expect(body.denied).toBeGreaterThanOrEqual(denied);
    }
});

test("Home of the demo shows the app whose denials have risen", async () => {
  const { items } = (await call(admin, listAttention)).body;
  expect(items.find(({ kind }) => kind === "rising denials")).toMatchObject({
    count: 1,
    record: { name: "Harbor" },
  });
});
