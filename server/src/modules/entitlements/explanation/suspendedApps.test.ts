import { getApp, resumeApp, suspendApp } from "@purser/contract/apps/endpoints";
import { createAppKey, getCallingApp } from "@purser/contract/apps/keys";
import { checkFeature, checkFeatures, testCheck } from "@purser/contract/entitlements/explanation";
import { expect, test } from "vitest";
import { archivingIn } from "#modules/packages/testing/archiving.testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { explanationsIn } from "../testing/explanations.testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, packageGiving } = catalogIn(product, admin);
const { newCustomer, insertGrant, backdateCatalog, grantTo } = grantsIn(product, admin);
const { itemOf } = explanationsIn(product, admin);
const { archive } = archivingIn(product, admin);

const sold = async () => {
  const app = await newApp();
  const feature = await newLimit(app.id, "Seats", { defaultValue: 1 });
  const packageId = await packageGiving("Studio", [[feature, 5]]);
  const body = { name: "Server", kind: "server" as const, scopes: ["entitlements:read" as const] };
  const { secret } = (await call(admin, createAppKey, { params: { id: app.id }, body })).body;
  const headers = { authorization: `Bearer ${secret}` };
  const check = async (user: string) =>
    (await call(null, checkFeature, { query: { user, feature: feature.code }, headers })).body;
  const act = async (action: typeof suspendApp | typeof resumeApp) => {
    const params = { id: app.id };
    const { version } = (await call(admin, getApp, { params })).body;
    const done = await call(admin, action, { params, version, body: { reason: "An incident" } });
    expect(done.status, done.text).toBe(200);
    return done.body;
  };
  return { app, feature, packageId, headers, check, act };
};

test("M11 checks of a suspended app are denied until it is resumed", async () => {
  const { app, feature, packageId, headers, check, act } = await sold();
  const [subscriber, other] = [await newCustomer(), await newCustomer()];
  await insertGrant(subscriber.id, packageId, [-1, 30]);
  await act(suspendApp);
  const denied = {
    allowed: false,
    reason: "app suspended",
    value: null,
    limit: null,
    remaining: null,
    grants: [],
  };
  expect(await check(subscriber.id)).toMatchObject(denied);
  expect(await check(other.id), "without the default value").toMatchObject(denied);
  const all = await call(null, checkFeatures, { query: { user: subscriber.id }, headers });
  expect(all.body.items).toMatchObject([denied]);
  const tested = await call(admin, testCheck, {
    params: { id: subscriber.id },
    query: { app: app.id, feature: feature.code },
  });
  expect(tested.body.answer).toMatchObject(denied);
  expect((await call(null, getCallingApp, { headers })).body.app.suspendedAt).not.toBeNull();
  await act(resumeApp);
  expect(await check(subscriber.id)).toMatchObject({ allowed: true, reason: "granted", value: 5 });
  expect(await check(other.id)).toMatchObject({ allowed: true, reason: "default", value: 1 });
});

test("M11 an archived app can be suspended, and a suspended one archived", async () => {
  const { app, feature, packageId, check, act } = await sold();
  const { id } = await newCustomer();
  await insertGrant(id, packageId, [-1, 30]);
  await act(suspendApp);
  await archive("app", { app, feature });
  expect(await check(id)).toMatchObject({ allowed: false, reason: "app suspended" });
  await act(resumeApp);
  expect(await check(id)).toMatchObject({ allowed: true, reason: "granted" });
  await act(suspendApp);
  expect(await check(id)).toMatchObject({ allowed: false, reason: "app suspended" });
});

test("M11 the explanation names the suspension, and past moments answer as they were", async () => {
  const { feature, packageId, act } = await sold();
  await backdateCatalog();
  const { id } = await newCustomer();
  await insertGrant(id, packageId, [-40, 30], { recordedDaysAgo: 40 });
  const before = new Date().toISOString();
  const suspended = await act(suspendApp);
  expect(await itemOf(id, feature)).toMatchObject({
    allowed: false,
    value: null,
    reason: "app suspended",
    rule: { code: "value_rule_app_suspended" },
    app: { status: "active", suspendedAt: suspended.suspendedAt },
    lines: [{ isApplied: false, notApplied: { code: "app suspended" } }],
    until: null,
    needs: [],
  });
  expect(await itemOf(id, feature, before)).toMatchObject({ value: 5, reason: "granted" });
  const during = new Date(Math.max(Date.now(), Date.parse(suspended.updatedAt) + 1)).toISOString();
  const resumed = await act(resumeApp);
  expect(Date.parse(resumed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(during));
  expect(await itemOf(id, feature, before)).toMatchObject({ reason: "granted" });
  expect(await itemOf(id, feature, during)).toMatchObject({ reason: "app suspended" });
  expect(await itemOf(id, feature)).toMatchObject({ value: 5, reason: "granted" });
});

test("a suspended or erased customer of a suspended app is told their own status", async () => {
  const { packageId, check, act } = await sold();
  const { id } = await newCustomer();
  await insertGrant(id, packageId, [-1, 30]);
  await act(suspendApp);
  await owner.query("update users set status = 'suspended' where id = $1", [id]);
  expect(await check(id)).toMatchObject({ reason: "customer suspended" });
});

test("a package of a suspended app can be granted, and works once the app is resumed", async () => {
  const { packageId, check, act } = await sold();
  await act(suspendApp);
  const { id, email } = await newCustomer();
  expect((await grantTo(email, { packageId })).status).toBe(201);
  expect(await check(id)).toMatchObject({ reason: "app suspended" });
  await act(resumeApp);
  expect(await check(id)).toMatchObject({ reason: "granted" });
});
