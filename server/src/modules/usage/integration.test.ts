import { randomUUID } from "node:crypto";
import { checkFeatures } from "@purser/contract/entitlements/explanation";
import {
  getAppIntegration,
  listAppDenials,
  listCheckedFeatures,
  listDenials,
} from "@purser/contract/integration/endpoints";
import { listAttention } from "@purser/contract/reports/attention";
import { getUserSummary } from "@purser/contract/users/summary";
import { expect, test } from "vitest";
import { appKeysIn } from "#modules/entitlements/testing/appKeys.testing.ts";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { unknownCodesMax } from "../integration/recorder.ts";
import { forgetOldChecks } from "../integration/retention.ts";
import { updateRisen } from "../integration/risen.ts";
import { soldAppsIn } from "./testing/soldApps.testing.ts";
import { appCallsIn } from "./testing/testing.ts";

let now = Date.UTC(2026, 5, 15, 12, 30);
const product = await testProduct({ clock: { now: () => now } });
const { app: server, call, owner, signIn, startSession, platform } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const { newApp } = catalogIn(product, admin);
const { grantTo } = grantsIn(product, admin);
const { newServerKey } = appKeysIn(product, admin);

const newWorld = soldAppsIn(product, admin);

/** Moves the clock. Sessions would have expired by then. */
const wait = async (ms: number) => {
  now += ms;
  for (const member of [admin, viewer]) member.cookie = await startSession(member.id);
};

const flush = () => server.checkRecorder.flush();

const integrationOf = async (
  id: string,
  query: { period?: "hour" | "day" | "month"; key?: string } = {},
) => {
  const { status, body, text } = await call(viewer, getAppIntegration, { params: { id }, query });
  expect(status, text).toBe(200);
  return body;
};

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

test("checks are counted once, by reason, feature and key, in every period", async () => {
  const { app, feature, customer, other, keyId, headers, check, consume } = await newWorld();
  await check(customer.id, feature.code);
  await check(other.id, feature.code);
  await check("nobody@example.com", feature.code);
  await consume({ user: customer.id, feature: feature.code, amount: 3 });
  await consume({ user: customer.id, feature: feature.code });
  await call(null, checkFeatures, { query: { user: customer.id }, headers });
  await Promise.all([flush(), flush()]);
  await flush();
  for (const period of ["hour", "day", "month"] as const) {
    const shown = await integrationOf(app.id, { period });
    expect(shown, period).toMatchObject({
      checks: 6,
      denied: 3,
      reasons: [
        { reason: "not included", checks: 2 },
        { reason: "limit reached", checks: 1 },
      ],
      features: [
        { kind: "feature", code: feature.code, checks: 5, denied: 3, customers: { count: 2 } },
        { kind: "list", code: "", checks: 1, denied: 0, customers: null },
      ],
      keys: [{ id: keyId, checks: 6, denied: 3 }],
    });
    expect(sum(shown.points.map(({ checks }) => checks))).toBe(6);
    expect(sum(shown.points.map(({ denied }) => denied))).toBe(3);
    expect(shown.latency.p50).toBeGreaterThan(0);
    expect(shown.latency.p99).toBeGreaterThanOrEqual(shown.latency.p50 ?? 0);
  }
});

test("figures of one key are only its own", async () => {
  const { app, feature, customer, keyId, check } = await newWorld();
  const second = await newServerKey(app.id);
  await check(customer.id, feature.code);
  await appCallsIn(product, second.headers).check(customer.id, feature.code);
  await appCallsIn(product, second.headers).check(customer.id, feature.code);
  await flush();
  expect(await integrationOf(app.id, { key: second.id })).toMatchObject({ checks: 2 });
  expect(await integrationOf(app.id, { key: keyId })).toMatchObject({
    checks: 1,
    keys: [
      { id: second.id, checks: 2 },
      { id: keyId, checks: 1 },
    ],
  });
});

test("a check of another minute is another point, and leaves the last hour after it", async () => {
  const { app, feature, customer, check } = await newWorld();
  await check(customer.id, feature.code);
  await wait(10 * 60_000);
  await check(customer.id, feature.code);
  await check(customer.id, feature.code);
  await flush();
  const { points, peak } = await integrationOf(app.id, { period: "hour" });
  expect(points.map(({ checks }) => checks).filter((checks) => checks > 0)).toEqual([1, 2]);
  expect(peak).toMatchObject({ perSecond: 0.033, seconds: 60 });
  await wait(55 * 60_000);
  expect(await integrationOf(app.id, { period: "hour" })).toMatchObject({ checks: 2 });
  expect(await integrationOf(app.id, { period: "day" })).toMatchObject({ checks: 3 });
});

test("unknown features are counted, with a limited number of codes", async () => {
  const { app, check, consume, customer, headers } = await newWorld();
  for (let n = 0; n < unknownCodesMax + 5; n += 1) await check(customer.id, `missing-${n}`);
  expect((await consume({ user: customer.id, feature: "missing-0" })).status).toBe(404);
  for (const flag of ["Not%20a%20code", "x".repeat(90)])
    await server.inject({
      method: "POST",
      url: `/ofrep/v1/evaluate/flags/${flag}`,
      headers,
      payload: { context: { targetingKey: customer.id } },
    });
  await flush();
  const { checks, denied, reasons, features } = await integrationOf(app.id);
  expect([checks, denied]).toEqual([unknownCodesMax + 8, unknownCodesMax + 8]);
  expect(reasons).toEqual([{ reason: "unknown feature", checks: unknownCodesMax + 8 }]);
  expect(features.filter(({ kind }) => kind === "unknown")).toHaveLength(unknownCodesMax);
  expect(features.filter(({ kind }) => kind === "other")).toMatchObject([{ denied: 7 }]);
  expect((await call(admin, listDenials, { params: { id: customer.id } })).body.items).toEqual([]);
});

test("a customer's denials are listed by feature and reason with their last time", async () => {
  const { app, feature, other, check } = await newWorld();
  await check(other.id, feature.code);
  await wait(60_000);
  await check(other.email, feature.code);
  await flush();
  const { body } = await call(viewer, listDenials, { params: { id: other.id } });
  expect(body.items).toEqual([
    {
      app: { id: app.id, name: app.name, icon: app.icon },
      feature: { id: feature.id, code: feature.code, name: feature.name },
      reason: "not included",
      count: 2,
      lastAt: new Date(now).toISOString(),
    },
  ]);
  expect((await call(admin, listDenials, { params: { id: randomUUID() } })).status).toBe(404);
  expect((await call(null, listDenials, { params: { id: other.id } })).status).toBe(401);
});

test("the setup steps tick themselves", async () => {
  const app = await newApp();
  const setup = async () => (await integrationOf(app.id)).setup;
  expect(await setup()).toMatchObject({
    keys: 0,
    firstCheckAt: null,
    firstDeniedAt: null,
    countedFeatures: 0,
    firstUsageDay: null,
  });
  const { app: used, feature, customer, other, check, consume } = await newWorld();
  await check(customer.id, feature.code);
  await flush();
  const firstCheckAt = new Date(now).toISOString();
  expect((await integrationOf(used.id)).setup).toMatchObject({
    keys: 1,
    firstCheckAt,
    firstDeniedAt: null,
  });
  await wait(1000);
  await check(other.id, feature.code);
  await consume({ user: customer.id, feature: feature.code });
  await flush();
  expect((await integrationOf(used.id)).setup).toMatchObject({
    firstCheckAt,
    firstDeniedAt: new Date(now).toISOString(),
    countedFeatures: 1,
    firstUsageDay: "2026-06-15",
    webhookConfirmedAt: null,
  });
});

test("requires apps:read, and an app that exists", async () => {
  const { app } = await newWorld();
  expect((await call(null, getAppIntegration, { params: { id: app.id } })).status).toBe(401);
  const params = { id: randomUUID() };
  expect((await call(admin, getAppIntegration, { params })).status).toBe(404);
  expect((await call(admin, listCheckedFeatures, { params })).status).toBe(404);
  const query = { reason: "expired" } as const;
  expect((await call(admin, listAppDenials, { params, query })).status).toBe(404);
});

test("what a failed write had counted is written with the next one, once", async () => {
  const { app, feature, customer, check } = await newWorld();
  await owner.query("alter table check_rates rename to check_rates_away");
  await check(customer.id, feature.code);
  await flush();
  await owner.query("alter table check_rates_away rename to check_rates");
  expect(await integrationOf(app.id)).toMatchObject({ checks: 0 });
  await check(customer.id, feature.code);
  await flush();
  await flush();
  const { checks, features } = await integrationOf(app.id);
  expect([checks, features[0]?.checks]).toEqual([2, 2]);
});

test("a limit that was reached is an open problem of the customer until there is more", async () => {
  const { app, feature, customer, check, consume } = await newWorld();
  const limitsOf = async () =>
    (await call(viewer, getUserSummary, { params: { id: customer.id } })).body.limits;
  for (let n = 0; n < 3; n += 1)
    expect((await consume({ user: customer.id, feature: feature.code })).status).toBe(200);
  expect(await limitsOf(), "not denied yet").toEqual([]);
  await check(customer.id, feature.code);
  await check(customer.id, feature.code);
  await flush();
  expect(await limitsOf()).toEqual([
    {
      app: { id: app.id, name: app.name },
      feature: { id: feature.id, name: feature.name },
      used: 3,
      limit: 3,
      denials: 2,
      lastAt: new Date(now).toISOString(),
    },
  ]);
  await grantTo(customer.email, { featureId: feature.id, value: 2 });
  expect(await limitsOf()).toEqual([]);
});

test("old counts and denials are deleted, and the first check is still known", async () => {
  const { app, feature, other, check } = await newWorld();
  await check(other.id, feature.code);
  await flush();
  const rows = async () => {
    const counted = await owner.query<{ table: string; rows: number }>(
      `select 'minute counts' as table, count(*)::int as rows from check_counts where app_id = $1 and resolution = 'minute'
       union all select 'hour counts', count(*)::int from check_counts where app_id = $1 and resolution = 'hour'
       union all select 'minute rates', count(*)::int from check_rates where app_id = $1 and resolution = 'minute'
       union all select 'hour rates', count(*)::int from check_rates where app_id = $1 and resolution = 'hour'
       union all select 'denials', count(*)::int from check_denials where app_id = $1`,
      [app.id],
    );
    return counted.rows.filter((one) => one.rows > 0).map(({ table }) => table);
  };
  const forgetAfter = async (hours: number) => {
    const later = new Date(now + hours * 3_600_000);
    await forgetOldChecks((work) => work(platform.db), later);
    return rows();
  };
  expect(await forgetAfter(1)).toHaveLength(5);
  expect(await forgetAfter(4)).toEqual(["hour counts", "minute rates", "hour rates", "denials"]);
  expect(await forgetAfter(30)).toEqual(["hour counts", "hour rates", "denials"]);
  expect(await forgetAfter(29 * 24)).toEqual(["hour counts", "hour rates", "denials"]);
  expect(await forgetAfter(32 * 24)).toEqual([]);
  expect((await integrationOf(app.id)).setup.firstCheckAt).toBe(new Date(now).toISOString());
});

test("Home shows an app that denies many more checks than before, until it no longer does", async () => {
  const { app, feature, customer, keyId, check } = await newWorld();
  await check(customer.id, feature.code);
  await flush();
  const load = (hoursAgo: number, checks: number, denied: number) =>
    owner.query(
      `insert into check_rates (app_id, resolution, at, key_id, checks, denied, latencies)
       values ($1, 'hour', date_trunc('hour', $2::timestamptz) - make_interval(hours => $3), $4, $5, $6, '{}')`,
      [app.id, new Date(now), hoursAgo, keyId, checks, denied],
    );
  const row = async () => {
    await updateRisen(platform.db, new Date(now));
    const { items } = (await call(admin, listAttention)).body;
    return items.find(({ kind }) => kind === "rising denials");
  };
  await load(30, 1000, 50);
  await load(3, 1000, 90);
  expect(await row()).toBeUndefined();
  await load(2, 1000, 400);
  expect(await row()).toMatchObject({ count: 1, record: { name: app.name, pageId: app.id } });
  const since = (await row())?.since;
  await wait(60_000);
  expect((await row())?.since).toBe(since);
  await wait(25 * 3_600_000);
  expect(await row()).toBeUndefined();
});
