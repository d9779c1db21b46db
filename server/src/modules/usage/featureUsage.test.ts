import { randomUUID } from "node:crypto";
import { correctUsage } from "@purser/contract/usage/endpoints";
import { getFeatureUsage } from "@purser/contract/usage/featureUsage";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { soldAppsIn } from "./testing/soldApps.testing.ts";

const now = Date.UTC(2026, 5, 15, 12);
const product = await testProduct({ clock: { now: () => now } });
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const newWorld = soldAppsIn(product, admin);

type Query = { from?: string; to?: string };

const usageOf = async (id: string, query: Query = {}) => {
  const { status, body, text } = await call(viewer, getFeatureUsage, { params: { id }, query });
  expect(status, text).toBe(200);
  return body;
};

/** Usage of customers, each in the order of the first day back to earlier ones. */
const addDays = (featureId: string, users: readonly string[], days: number, used: number) =>
  owner.query(
    `insert into usage_days (user_id, feature_id, day, used)
     select u, $1, date '2026-06-14' - ago, $4 from unnest($2::uuid[]) u cross join generate_series(0, $3 - 1) ago`,
    [featureId, users, days, used],
  );

test("a feature's usage is shown by day, with the customers who used it most", async () => {
  const { feature, customer, other, consume } = await newWorld();
  await consume({ user: customer.id, feature: feature.code, amount: 3 });
  await addDays(feature.id, [customer.id, other.id], 1, 4);
  await call(admin, correctUsage, {
    params: { id: customer.id },
    body: { featureId: feature.id, amount: -1, reason: "The export failed." },
  });
  expect(await usageOf(feature.id)).toEqual({
    from: "2026-05-17",
    to: "2026-06-15",
    since: "2026-05-17",
    used: 10,
    customers: 2,
    days: [
      { day: "2026-06-14", used: 8, customers: 2 },
      { day: "2026-06-15", used: 2, customers: 1 },
    ],
    top: [
      { user: { id: customer.id, name: customer.name, email: customer.email }, used: 6 },
      { user: { id: other.id, name: other.name, email: other.email }, used: 4 },
    ],
  });
  expect(await usageOf(feature.id, { from: "2026-06-15", to: "2026-06-15" })).toMatchObject({
    used: 2,
    customers: 1,
  });
  expect(await usageOf(feature.id, { to: "2026-01-31" })).toMatchObject({ used: 0, days: [] });
});

test("requires users:read, a feature that exists, and a period", async () => {
  const { feature } = await newWorld();
  const params = { id: feature.id };
  expect((await call(null, getFeatureUsage, { params })).status).toBe(401);
  expect((await call(admin, getFeatureUsage, { params: { id: randomUUID() } })).status).toBe(404);
  const query = { from: "2026-06-15", to: "2026-06-14" };
  expect((await call(admin, getFeatureUsage, { params, query })).status).toBe(400);
});

test("of more than 50,000 rows, the latest whole days are added up, and the reply says so", async () => {
  const { feature } = await newWorld();
  const people = await owner.query<{ id: string }>(
    `insert into users (email, name)
     select 'used-' || n || '-' || gen_random_uuid() || '@example.com', 'Used ' || n from generate_series(1, 150) n
     returning id`,
  );
  const users = people.rows.map(({ id }) => id);
  const year = { from: "2025-06-15", to: "2026-06-14" };
  await addDays(feature.id, users, 333, 1);
  const all = await usageOf(feature.id, year);
  expect([all.since, all.used, all.days.length]).toEqual(["2025-06-15", 49_950, 333]);
  expect(all.top).toHaveLength(20);
  await owner.query(
    `insert into usage_days (user_id, feature_id, day, used)
     select user_id, feature_id, date '2025-07-01', 1 from usage_days where feature_id = $1 and day = '2026-06-14'`,
    [feature.id],
  );
  const cut = await usageOf(feature.id, year);
  expect([cut.since, cut.used, cut.days[0]?.day]).toEqual(["2025-07-02", 49_950, "2025-07-17"]);
  await owner.query(
    `insert into usage_days (user_id, feature_id, day, used)
     select gen_random_uuid(), $1, date '2026-06-15', 1 from generate_series(1, 50001)`,
    [feature.id],
  );
  expect(await usageOf(feature.id, { to: "2026-06-15" })).toEqual({
    from: "2026-05-17",
    to: "2026-06-15",
    since: null,
    used: 0,
    customers: 0,
    days: [],
    top: [],
  });
});
