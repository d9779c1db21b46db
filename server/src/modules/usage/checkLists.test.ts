import { checkFeatures } from "@purser/contract/entitlements/explanation";
import type { Wire } from "@purser/contract/http/endpoint";
import { listAppDenials, listCheckedFeatures } from "@purser/contract/integration/endpoints";
import { expect, test } from "vitest";
import { appKeysIn } from "#modules/entitlements/testing/appKeys.testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { metered, soldAppsIn } from "./testing/soldApps.testing.ts";
import { appCallsIn } from "./testing/testing.ts";

let now = Date.UTC(2026, 5, 15, 12, 30);
const product = await testProduct({ clock: { now: () => now } });
const { app: server, call, owner, signIn, startSession } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const { newLimit } = catalogIn(product, admin);
const { newServerKey } = appKeysIn(product, admin);
const newWorld = soldAppsIn(product, admin);

const flush = () => server.checkRecorder.flush();

/** Moves the clock. Sessions would have expired by then. */
const wait = async (ms: number) => {
  now += ms;
  for (const member of [admin, viewer]) member.cookie = await startSession(member.id);
};

const checkedFeatures = async (
  id: string,
  query: Wire<typeof listCheckedFeatures>["query"] = {},
) => {
  const { status, body, text } = await call(viewer, listCheckedFeatures, { params: { id }, query });
  expect(status, text).toBe(200);
  return body;
};

test("each feature has its checks, denials by reason and latency, also of one key", async () => {
  const { app, feature, customer, other, headers, check, consume } = await newWorld();
  const maps = await newLimit(app.id, "Maps", metered);
  const second = await newServerKey(app.id);
  await check(customer.id, feature.code);
  await check(other.id, feature.code);
  await check("nobody@example.com", feature.code);
  await consume({ user: customer.id, feature: feature.code, amount: 3 });
  await consume({ user: customer.id, feature: feature.code });
  await appCallsIn(product, second.headers).check(other.id, maps.code);
  await call(null, checkFeatures, { query: { user: customer.id }, headers });
  await flush();
  for (const period of ["hour", "day", "month"] as const) {
    const shown = await checkedFeatures(app.id, { period });
    expect(shown, period).toMatchObject({
      total: 3,
      next: null,
      items: [
        {
          kind: "feature",
          code: feature.code,
          name: feature.name,
          checks: 5,
          denied: 3,
          reasons: [
            { reason: "not included", checks: 2 },
            { reason: "limit reached", checks: 1 },
          ],
        },
        { code: maps.code, checks: 1, denied: 1, reasons: [{ reason: "not included", checks: 1 }] },
        { kind: "list", code: "", name: null, checks: 1, denied: 0, reasons: [] },
      ],
    });
    for (const { latency } of shown.items) {
      expect(latency.p50).toBeGreaterThan(0);
      expect(latency.p99).toBeGreaterThanOrEqual(latency.p50 ?? 0);
    }
    const minutes = (now - Date.parse(shown.from)) / 60_000;
    expect(shown.items[0]?.perMinute).toBeCloseTo(5 / minutes, 3);
  }
  const ofSecond = await checkedFeatures(app.id, { key: second.id });
  expect(ofSecond.items).toMatchObject([{ code: maps.code, checks: 1 }]);
});

test("features are sorted by denials, checks or latency, and all are on a page", async () => {
  const { app, keyId } = await newWorld();
  // Twenty with denials, of which the first ones have the most. The last ones are slow.
  await owner.query(
    `insert into check_counts (app_id, resolution, at, key_id, feature, reason, is_allowed, checks, latencies)
     select $1, 'hour', date_trunc('hour', $2::timestamptz), $3, 'feature-' || to_char(n, 'FM000'),
       case when n <= 20 then 'expired' else 'granted' end, n > 20, case when n <= 20 then 100 - n else n end,
       case when n > 110 then '{0,0,0,0,0,9}'::bigint[] when n <= 100 then '{9}' end
     from generate_series(1, 120) n`,
    [app.id, new Date(now), keyId],
  );
  const allOf = async (sort: "denied" | "checks" | "latency") => {
    const codes: string[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page = await checkedFeatures(app.id, { sort, after: String(after) });
      expect(page.total).toBe(120);
      codes.push(...page.items.map(({ code }) => code));
      after = page.next;
    }
    expect(new Set(codes).size).toBe(120);
    return codes;
  };
  const byDenials = await allOf("denied");
  expect([byDenials[0], byDenials[19], byDenials[20]]).toEqual([
    "feature-001",
    "feature-020",
    "feature-120",
  ]);
  expect((await allOf("checks")).slice(0, 2)).toEqual(["feature-120", "feature-119"]);
  const byLatency = await allOf("latency");
  expect([byLatency[0], byLatency[9], byLatency[10]]).toEqual([
    "feature-111",
    "feature-120",
    "feature-001",
  ]);
  expect(byLatency.at(-1)).toBe("feature-110");
  const { items } = await checkedFeatures(app.id, { after: "119", sort: "latency" });
  // An earlier release counted no durations.
  expect(items).toMatchObject([{ code: "feature-110", latency: { p50: null, p99: null } }]);
});

test("a reason has its customers by day, also of one feature", async () => {
  const { app, feature, customer, other, check, consume } = await newWorld();
  const maps = await newLimit(app.id, "Maps", metered);
  await check(other.id, feature.code);
  await wait(86_400_000);
  await check(other.id, feature.code);
  await check(other.id, feature.code);
  await check(other.id, maps.code);
  await check("nobody@example.com", feature.code);
  await consume({ user: customer.id, feature: feature.code, amount: 3 });
  await consume({ user: customer.id, feature: feature.code });
  await flush();
  const denialsOf = async (query: Wire<typeof listAppDenials>["query"]) =>
    (await call(viewer, listAppDenials, { params: { id: app.id }, query })).body;
  const today = new Date(now).toISOString().slice(0, 10);
  const yesterday = new Date(now - 86_400_000).toISOString().slice(0, 10);
  const all = await denialsOf({ reason: "not included", period: "day" });
  expect([all.from, all.to, all.next]).toEqual([yesterday, today, null]);
  const shown = all.items.map(({ user, feature: { code }, day, count }) => [
    user.id,
    code,
    day,
    count,
  ]);
  const [one, two] = [feature.code, maps.code].toSorted();
  const countOf = (code: string | undefined) => (code === feature.code ? 2 : 1);
  expect(shown).toEqual([
    [other.id, one, today, countOf(one)],
    [other.id, two, today, countOf(two)],
    [other.id, feature.code, yesterday, 1],
  ]);
  const ofMaps = await denialsOf({ reason: "not included", feature: maps.code });
  expect(ofMaps.items).toMatchObject([
    { feature: { id: maps.id, name: "Maps" }, user: { email: other.email }, day: today },
  ]);
  expect((await denialsOf({ reason: "not included", period: "hour" })).items).toHaveLength(2);
  expect((await denialsOf({ reason: "limit reached" })).items).toMatchObject([
    { user: { id: customer.id }, count: 1, lastAt: new Date(now).toISOString() },
  ]);
  expect((await denialsOf({ reason: "expired" })).items).toEqual([]);
});

test("pages of denials continue within a day and have every row once", async () => {
  const { app, feature } = await newWorld();
  const maps = await newLimit(app.id, "Maps", metered);
  const people = await owner.query<{ id: string }>(
    `insert into users (email, name) select 'denied-' || n || '-' || gen_random_uuid() || '@example.com', 'Denied ' || n
     from generate_series(1, 60) n returning id`,
  );
  await owner.query(
    `insert into check_denials (user_id, app_id, feature, reason, day, denials, last_at)
     select id, $1, code, 'expired', $2::timestamptz::date - ago, 2, $2
     from unnest($3::uuid[]) id cross join unnest($4::text[]) code cross join generate_series(0, 1) ago`,
    [app.id, new Date(now), people.rows.map(({ id }) => id), [feature.code, maps.code]],
  );
  const allOf = async (more: { feature?: string }) => {
    const rows: string[] = [];
    let after: string | undefined;
    do {
      const query = { reason: "expired", ...more, ...(after && { after }) } as const;
      const { body } = await call(viewer, listAppDenials, { params: { id: app.id }, query });
      rows.push(...body.items.map((row) => `${row.day} ${row.feature.code} ${row.user.id}`));
      after = body.next ?? undefined;
    } while (after);
    expect(new Set(rows).size).toBe(rows.length);
    return rows;
  };
  const all = await allOf({});
  expect(all).toHaveLength(240);
  const days = all.map((row) => row.slice(0, 10));
  expect(days).toEqual(days.toSorted().toReversed());
  expect(await allOf({ feature: maps.code })).toHaveLength(120);
  const forged = { reason: "expired", after: "2026-06-15_x" } as const;
  expect(
    (await call(viewer, listAppDenials, { params: { id: app.id }, query: forged })).status,
  ).toBe(400);
});
