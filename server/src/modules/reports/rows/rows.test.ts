import { randomUUID } from "node:crypto";
import { addDays } from "@purser/contract/reports/days";
import {
  getAppShare,
  getRevenue,
  getSummary,
  shareRules,
} from "@purser/contract/reports/endpoints";
import {
  getMrr,
  getRetention,
  listMovements,
  movementKinds,
} from "@purser/contract/reports/recurring";
import {
  listActiveSubscribers,
  listRetained,
  listRevenueRows,
  listShareRows,
  rowGroups,
} from "@purser/contract/reports/rows";
import { getReportFile } from "@purser/contract/reports/saved";
import { discountSubscription } from "@purser/contract/subscriptions/endpoints";
import { expect, test } from "vitest";
import { reports } from "#commands/reports.ts";
import { seed } from "#commands/seed.ts";
import { runHere } from "#commands/testing.ts";
import { testProduct } from "#testing.ts";

// The demo has purchases, renewals, changes, trials, pauses, refunds and disputes in several currencies.
const product = await testProduct({ environment: { COMPANY_TIME_ZONE: "Europe/Tallinn" } });
const { call, signIn, config, owner } = product;
await runHere(config, seed);
await runHere(config, reports, "rebuild");
const finance = await signIn("finance");

const { until } = (await call(finance, getSummary)).body;
const year = { from: addDays(until, -364), until };
const inEuro = { ...year, currency: "EUR" };

type Page<Item> = { items: Item[]; next: string | null };

/** All rows of a list, page by page. */
const allOf = async <Item>(page: (after: string | undefined) => Promise<Page<Item>>) => {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const { items: found, next } = await page(after);
    items.push(...found);
    after = next ?? undefined;
  } while (after !== undefined);
  return items;
};

const rowsOf = (query: object) =>
  allOf(async (after) => {
    const asked = { ...inEuro, ...query, ...(after && { after }) };
    const { status, text, body } = await call(finance, listRevenueRows, { query: asked });
    expect(status, text).toBe(200);
    return body;
  });

const sumOf = <Item>(items: readonly Item[], amountOf: (item: Item) => number) =>
  items.reduce((sum, item) => sum + amountOf(item), 0);

test.each(rowGroups)("HM1 each number of revenue by %s is the sum of its rows", async (group) => {
  const { groups, total } = (await call(finance, getRevenue, { query: { ...inEuro, group } })).body;
  expect(groups.length).toBeGreaterThan(group === "total" ? 0 : 1);
  const ids: string[] = [];
  for (const { key, name, measures } of groups) {
    const rows = await rowsOf({ group, key });
    expect(
      {
        charged: sumOf(rows, ({ charged }) => charged),
        tax: sumOf(rows, ({ tax }) => tax),
        returned: sumOf(rows, ({ returned }) => returned),
        net: sumOf(rows, ({ net }) => net),
        discount: sumOf(rows, ({ discount }) => discount),
      },
      `${group} ${key}`,
    ).toEqual({
      charged: measures.charged,
      tax: measures.tax,
      returned: measures.refunds + measures.disputes,
      net: measures.net,
      discount: measures.discount,
    });
    // A payment for several packages or rates counts once.
    if (group === "promotion")
      expect(rows.filter(({ kind }) => kind === "sale")).toHaveLength(measures.payments ?? 0);
    expect(new Set(rows.map(({ id }) => id)).size, "no row twice").toBe(rows.length);
    const { body } = await call(finance, listRevenueRows, { query: { ...inEuro, group, key } });
    expect(body).toMatchObject({ name, total: measures });
    ids.push(...rows.map(({ id }) => id));
  }
  const all = await rowsOf({});
  expect(sumOf(all, ({ net }) => net)).toBe(total.net);
  expect(new Set(ids).size, "every row is in a group").toBe(all.length);
});

test("a discount that a team member gives later moves no payment to another promotion", async () => {
  const { rows } = await owner.query<{ id: string; version: number }>(
    `select s.id, s.version from subscriptions s
     where s.status = 'active' and exists (select from transactions t
       where t.subscription_id = s.id and t.currency = 'EUR' and t.kind = 'purchase' and t.state = 'succeeded' and t.total > 0
         and not exists (select from transactions o where o.subscription_id = s.id and o.id <> t.id)
         and not exists (select from redemptions r where r.transaction_id = t.id)) limit 1`,
  );
  const { id = "", version = 0 } = rows[0] ?? {};
  const without = { group: "promotion", key: "" };
  const before = await rowsOf(without);
  const given = await call(await signIn("admin"), discountSubscription, {
    params: { id },
    version,
    body: { payments: 1, reason: "Mails came late.", basisPoints: 1000 },
  });
  expect(given.status, given.text).toBe(200);
  expect(await rowsOf(without)).toEqual(before);
});

const fileOf = async (search: object) => {
  const period = {
    range: "custom" as const,
    from: inEuro.from,
    until: inEuro.until,
    currency: "EUR",
  };
  const query = { ...period, ...search };
  const { status, text } = await call(finance, getReportFile, { query });
  expect(status, text).toBe(200);
  const [head = "", ...lines] = text.replace("\uFEFF", "").trim().split("\r\n");
  return { head: head.split(","), lines: lines.map((line) => line.split(",")) };
};

test("the file of promotions has their redemptions and discounts", async () => {
  const query = { ...inEuro, group: "promotion" } as const;
  const { groups, total } = (await call(finance, getRevenue, { query })).body;
  const { head, lines } = await fileOf({ tab: "promotions" });
  expect(head.slice(0, 5)).toEqual(["Promotion", "Payments", "Redemptions", "Discount", "Charged"]);
  const sum = (place: number) => sumOf(lines, (line) => Number(line[place]));
  const without = groups.find(({ key }) => key === "")?.measures.payments ?? 0;
  expect(sum(1)).toBe(total.payments);
  expect(sum(2)).toBe((total.payments ?? 0) - without);
  expect(sum(2)).toBeGreaterThan(0);
  expect(Math.round(sum(3) * 100)).toBe(total.discount);
});

test.each([
  ["revenue", "name", 0],
  ["revenue", "-payments", 1],
  ["revenue", "returned", 4],
  ["promotions", "-discount", 3],
  ["tax", "net", -5],
  ["mrr", "name", 0],
  ["mrr", "-net", 8],
  ["retention", "-month.1", 3],
  ["app-share", "-net", -3],
] as const)("the file of %s is sorted by %s like the page", async (tab, sort, place) => {
  const { lines } = await fileOf({ tab, sort });
  const cells = lines.map((line) => line.at(place) ?? "");
  const isDescending = sort.startsWith("-");
  const order = cells.toSorted((one, other) =>
    sort === "name" ? one.localeCompare(other, "en", { numeric: true }) : +one - +other,
  );
  expect(cells.length).toBeGreaterThan(1);
  expect(cells.map((cell) => (sort === "name" ? cell : +cell))).toEqual(
    (isDescending ? order.toReversed() : order).map((cell) => (sort === "name" ? cell : +cell)),
  );
});

test("rows are in the order of time, only of their period and currency", async () => {
  const day = addDays(until, -40);
  const few = await rowsOf({ from: addDays(day, -60), until: day });
  const times = few.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(few.length).toBeGreaterThan(50);
  for (const [currency, key] of [
    ["JPY", ""],
    ["EUR", "nothing"],
  ])
    expect(await rowsOf({ group: "country", currency, key })).toEqual([]);
  for (const key of [randomUUID(), "not an ID"])
    expect(await rowsOf({ group: "package", key })).toEqual([]);
});

test("what isn't in the figures yet isn't in the rows", async () => {
  const before = await rowsOf({});
  await owner.query(
    `insert into revenue_queue (entry_id, at) select id, at from journal_entries where id = $1`,
    [before[3]?.id],
  );
  expect(await rowsOf({})).toHaveLength(before.length - 1);
  await owner.query("truncate revenue_queue");
});

test("an unknown place to continue at has no rows", async () => {
  const query = { ...inEuro, after: randomUUID() };
  expect((await call(finance, listRevenueRows, { query })).body).toMatchObject({
    items: [],
    next: null,
  });
});

test("each cell of retention is the number of its customers", async () => {
  const { cohorts } = (await call(finance, getRetention, { query: inEuro })).body;
  let cells = 0;
  for (const { month: cohort, active } of cohorts)
    for (const [place, expected] of active.entries()) {
      const month = new Date(`${cohort}T00:00:00Z`);
      month.setUTCMonth(month.getUTCMonth() + place);
      const query = { currency: "EUR", cohort, month: month.toISOString().slice(0, 10) };
      const customers = await allOf(async (after) => {
        const asked = { ...query, ...(after && { after }) };
        const { status, text, body } = await call(finance, listRetained, { query: asked });
        expect(status, text).toBe(200);
        expect(body.count).toBe(expected);
        return body;
      });
      expect(new Set(customers.map(({ user }) => user.id)).size).toBe(expected);
      expect(customers.every(({ amount }) => amount > 0)).toBe(true);
      cells += expected;
    }
  expect(cells).toBeGreaterThan(100);
});

test.each([0, -100])(
  "HM1 MRR and active subscribers are their customers, %i days later",
  async (days) => {
    const query = { ...inEuro, from: addDays(until, -300), until: addDays(until, days) };
    const { totals } = (await call(finance, getSummary, { query })).body;
    const customers = await allOf(async (after) => {
      const asked = { ...query, ...(after && { after }) };
      const { status, text, body } = await call(finance, listActiveSubscribers, { query: asked });
      expect(status, text).toBe(200);
      expect([body.count, body.mrr]).toEqual([totals.subscribers, totals.mrr]);
      return body;
    });
    expect(new Set(customers.map(({ user }) => user.id)).size).toBe(totals.subscribers);
    expect(customers).toHaveLength(totals.subscribers);
    expect(sumOf(customers, ({ amount }) => amount)).toBe(totals.mrr);
    expect(totals.subscribers).toBeGreaterThan(50);
  },
);

test("HM1 net new subscribers and each movement of MRR are the sums of their customers", async () => {
  const movedOf = (query: { list: "all" | "gained" | "churn" | "subscribers" | "expansion" }) =>
    allOf(async (after) => {
      const asked = { ...inEuro, ...query, ...(after && { after }) };
      return (await call(finance, listMovements, { query: asked })).body;
    });
  const { totals } = (await call(finance, getSummary, { query: inEuro })).body;
  const [gained, lost] = [await movedOf({ list: "gained" }), await movedOf({ list: "churn" })];
  expect([gained.length, lost.length]).toEqual([totals.gained, totals.lost]);
  expect(await movedOf({ list: "subscribers" })).toHaveLength(gained.length + lost.length);
  const { periods } = (await call(finance, getMrr, { query: inEuro })).body;
  expect(sumOf(lost, ({ amount }) => amount)).toBe(sumOf(periods, ({ churn }) => churn.amount));
  const expanded = await movedOf({ list: "expansion" });
  expect(sumOf(expanded, ({ amount }) => amount)).toBe(
    sumOf(periods, ({ expansion }) => expansion.amount),
  );
  expect(
    sumOf(await movedOf({ list: "all" }), ({ amount }) => amount),
    "net new MRR",
  ).toBe((periods.at(-1)?.closing ?? 0) - (periods[0]?.opening ?? 0));
});

test("HM1 movements of packages add up to all movements, and each of them to its customers", async () => {
  const query = { ...inEuro, group: "package" } as const;
  const { status, text, body } = await call(finance, getMrr, { query });
  expect(status, text).toBe(200);
  const packages = body.packages ?? [];
  expect(packages.length).toBeGreaterThan(1);
  const [first, last] = [body.periods[0], body.periods.at(-1)];
  expect(sumOf(packages, ({ opening }) => opening)).toBe(first?.opening);
  expect(sumOf(packages, ({ closing }) => closing)).toBe(last?.closing);
  for (const kind of movementKinds)
    expect(sumOf(packages, (one) => one[kind].amount)).toBe(
      sumOf(body.periods, (one) => one[kind].amount),
    );
  let customers = 0;
  for (const { key, name, ...whole } of packages) {
    const own = (await call(finance, getMrr, { query: { ...inEuro, package: key } })).body;
    expect(own.package).toEqual({ id: key, name });
    expect(own.periods[0]?.opening).toBe(whole.opening);
    expect(own.periods.at(-1)).toMatchObject({
      closing: whole.closing,
      closingSubscribers: whole.closingSubscribers,
    });
    for (const kind of movementKinds) {
      const asked = { ...inEuro, list: kind, package: key };
      const rows = await allOf(async (after) => {
        const reply = await call(finance, listMovements, {
          query: { ...asked, ...(after && { after }) },
        });
        expect(reply.body).toMatchObject({
          count: whole[kind].customers,
          amount: whole[kind].amount,
        });
        return reply.body;
      });
      expect(rows).toHaveLength(whole[kind].customers);
      expect(sumOf(rows, ({ amount }) => amount)).toBe(whole[kind].amount);
      customers += rows.length;
    }
  }
  expect(customers).toBeGreaterThan(100);
});

test.each(shareRules)("HM1 each cell of app share by %s is the sum of its days", async (rule) => {
  const { apps, packages } = (await call(finance, getAppShare, { query: { ...inEuro, rule } }))
    .body;
  const rowsBehind = async (app: string, packageKey?: string) => {
    const asked = {
      ...inEuro,
      rule,
      app,
      ...(packageKey !== undefined && { package: packageKey }),
    };
    let total = 0;
    const items = await allOf(async (before) => {
      const { status, text, body } = await call(finance, listShareRows, {
        query: { ...asked, ...(before && { before }) },
      });
      expect(status, text).toBe(200);
      total = body.total;
      return body;
    });
    expect(sumOf(items, ({ share }) => share)).toBe(total);
    return { items, total };
  };
  let days = 0;
  for (const app of apps) {
    expect((await rowsBehind(app.key)).total).toBe(app.net);
    for (const [place, { key }] of packages.entries()) {
      const { items, total } = await rowsBehind(app.key, key);
      expect(total).toBe(app.packages[place] ?? 0);
      days += items.length;
    }
  }
  expect(days).toBeGreaterThan(100);
  const [row] = (await rowsBehind(apps[0]?.key ?? "")).items;
  // The payments of a day and a package are behind its revenue.
  const payments = await rowsOf({
    group: "package",
    key: row?.package.key,
    from: row?.day,
    until: row?.day,
  });
  expect(payments.length).toBeGreaterThan(0);
});
