import { getEntitlements } from "@purser/contract/entitlements/explanation";
import {
  extendSubscription,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@purser/contract/subscriptions/endpoints";
import { resolveTransaction } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renew } from "./renewals.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const shop = await shopIn(product);
const { admin, newApp, newLimit, promote, sellPackage, saleOf, sell } = shop;

const resolve = async (id: string) => {
  const { version } = await shop.read(id);
  const body = { outcome: "succeeded" as const, evidence: "The bank says so" };
  const resolved = await call(admin, resolveTransaction, { params: { id }, version, body });
  expect(resolved.status, resolved.text).toBe(200);
  return resolved.body;
};

/** A package with a promotion that adds a feature for as long as the subscription lasts. */
const sellWithFeature = async () => {
  const pack = await sellPackage();
  const app = await newApp();
  const feature = await newLimit(app.id);
  for (const [table, id] of [
    ["apps", app.id],
    ["features", feature.id],
  ])
    await owner.query(`update ${table} set status = 'active', activated_at = now() where id = $1`, [
      id,
    ]);
  await promote({
    kind: "feature",
    basisPoints: null,
    featureId: feature.id,
    value: 7,
    featureDays: null,
    packageIds: [pack.id],
    stacking: "stackable",
    requiresCode: false,
  });
  return { pack, featureId: feature.id };
};

const featureValue = async (userId: string, featureId: string, query: { at?: string } = {}) => {
  const { body } = await call(admin, getEntitlements, { params: { id: userId }, query });
  return body.items.find((item) => item.feature.id === featureId)?.value;
};

const subscribe = async () => {
  const { pack, featureId } = await sellWithFeature();
  const { subscriptionId, user } = await sell(saleOf(pack.id));
  const params = { id: subscriptionId ?? "" };
  const read = async () => (await call(admin, getSubscription, { params })).body;
  const valueAt = (at?: string) => featureValue(user.id, featureId, at === undefined ? {} : { at });
  const pause = async () => {
    const { version } = await read();
    await call(admin, pauseSubscription, { params, version, body: { reason: "A rest." } });
    expect(await valueAt()).toBe(1);
  };
  return { pack, user, params, read, valueAt, pause };
};

const before = (moment: string) => new Date(Date.parse(moment) - 1000).toISOString();

test("I9 a promotion's feature is granted again with each paid period", async () => {
  const { pack, featureId } = await sellWithFeature();
  const { id, user, subscriptionId } = await sell(saleOf(pack.id), { state: "pending" });
  expect(await featureValue(user.id, featureId)).not.toBe(7);
  expect(subscriptionId).toBeNull();
  const paid = await resolve(id);
  expect(await featureValue(user.id, featureId)).toBe(7);
  const end = new Date(paid.periodEnd as string);
  await platform.db
    .transaction()
    .execute((db) => renew(db, paid.subscriptionId ?? "", { now: end, zone: "Europe/Tallinn" }));
  const { rows } = await owner.query<{ id: string }>(
    "select id from transactions where subscription_id = $1 and kind = 'renewal'",
    [paid.subscriptionId],
  );
  await resolve(rows[0]?.id ?? "");
  const grants = await owner.query<{ starts_at: Date; ends_at: Date }>(
    "select starts_at, ends_at from grants where user_id = $1 and feature_id = $2 order by starts_at",
    [user.id, featureId],
  );
  expect(grants.rows).toHaveLength(2);
  expect(grants.rows[0]?.ends_at).toEqual(grants.rows[1]?.starts_at);
  expect(grants.rows[1]?.starts_at).toEqual(end);
});

test("I9 a promotion's feature ends with a pause and returns with the subscription", async () => {
  const { params, read, valueAt, pause } = await subscribe();
  await pause();
  const { version } = await read();
  await call(admin, resumeSubscription, { params, version, body: {} });
  expect(await valueAt()).toBe(7);
  expect(await valueAt(before((await read()).accessUntil))).toBe(7);
});

test("I9 an extension includes the promotion's feature", async () => {
  const { params, read, valueAt } = await subscribe();
  const { version } = await read();
  const body = { days: 10, reason: "An apology." };
  expect((await call(admin, extendSubscription, { params, version, body })).status).toBe(200);
  expect(await valueAt(before((await read()).accessUntil))).toBe(7);
});

test("I9 a period bought during a pause includes the promotion's feature from now to its end", async () => {
  const { pack, user, read, valueAt, pause } = await subscribe();
  await pause();
  await sell(saleOf(pack.id, { email: user.email, occurredAt: new Date().toISOString() }), {
    isNoDuplicate: true,
  });
  expect((await read()).status).toBe("active");
  expect(await valueAt(new Date(Date.now() + 60_000).toISOString())).toBe(7);
  expect(await valueAt(before((await read()).accessUntil))).toBe(7);
});
