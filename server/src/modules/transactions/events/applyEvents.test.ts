import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { getPromotion } from "@purser/contract/promotions/endpoints";
import { refundTransaction, resolveTransaction } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { lockTransaction } from "../queries.ts";
import { shopIn } from "../testing/testing.ts";
import { applyEvents } from "./applyEvents.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const shop = await shopIn(product);
const { admin, sellPackage, promote, saleOf, sell, read, newApp, newLimit } = shop;

const zone = "Europe/Tallinn";
const dayMs = 86_400_000;

const resolve = async (id: string, outcome: "succeeded" | "failed" | "canceled") => {
  const { version } = await read(id);
  const body = { outcome, evidence: "The bank says so" };
  const resolved = await call(admin, resolveTransaction, { params: { id }, version, body });
  expect(resolved.status, resolved.text).toBe(200);
  return resolved.body;
};

const usesOf = async (id: string) =>
  (await call(admin, getPromotion, { params: { id } })).body.redemptions;

const usableOf = async (userId: string, featureId: string) => {
  const { body } = await call(admin, getEntitlements, { params: { id: userId } });
  return body.items.find((item) => item.feature.id === featureId)?.value;
};

/** A feature that only a promotion grants. */
const promoteFeature = async (packageId: string, days: number | null) => {
  const app = await newApp();
  const feature = await newLimit(app.id);
  const activate = (table: string, id: string) =>
    owner.query(`update ${table} set status = 'active', activated_at = now() where id = $1`, [id]);
  await activate("apps", app.id);
  await activate("features", feature.id);
  const promotion = await promote({
    kind: "feature",
    basisPoints: null,
    featureId: feature.id,
    value: 7,
    featureDays: days,
    packageIds: [packageId],
    stacking: "stackable",
    requiresCode: false,
  });
  return { featureId: feature.id, promotion };
};

test("I4 a payment that succeeds after it failed redeems its promotion again", async () => {
  const pack = await sellPackage();
  const promotion = await promote({ code: "LATE", packageIds: [pack.id], redemptionLimit: 5 });
  const sale = await sell(saleOf(pack.id, { codes: ["LATE"] }), { state: "pending" });
  expect(await usesOf(promotion.id)).toBe(1);
  await resolve(sale.id, "failed");
  expect(await usesOf(promotion.id)).toBe(0);
  await resolve(sale.id, "succeeded");
  expect(await usesOf(promotion.id)).toBe(1);
});

test("I4 a late success keeps its price when the promotion is used up, without exceeding the limit", async () => {
  const pack = await sellPackage();
  const promotion = await promote({ code: "GONE", packageIds: [pack.id], redemptionLimit: 1 });
  const sale = await sell(saleOf(pack.id, { codes: ["GONE"] }), { state: "pending" });
  await resolve(sale.id, "failed");
  await sell(saleOf(pack.id, { codes: ["GONE"] }));
  const paid = await resolve(sale.id, "succeeded");
  expect(paid).toMatchObject({ state: "succeeded", discount: 120 });
  expect(await usesOf(promotion.id)).toBe(1);
});

test("I9 a feature granted for days ends after them, or with a refund that ends access now", async () => {
  const pack = await sellPackage();
  const { featureId } = await promoteFeature(pack.id, 10);
  const sale = await sell(saleOf(pack.id));
  expect(await usableOf(sale.user.id, featureId)).toBe(7);
  const grants = () =>
    owner.query<{ days: number }>(
      "select round(extract(epoch from ends_at - starts_at) / 86400)::int as days from grants where user_id = $1 and feature_id = $2",
      [sale.user.id, featureId],
    );
  expect((await grants()).rows).toEqual([{ days: 10 }]);
  const body = { amount: sale.total, access: "end now" as const, reason: "Wrong package" };
  const refund = await call(admin, refundTransaction, { params: { id: sale.id }, body });
  expect(refund.status, refund.text).toBe(201);
  expect(await usableOf(sale.user.id, featureId)).not.toBe(7);
});

test("a free trial comes before the paid period when the payment succeeds later", async () => {
  const pack = await sellPackage();
  await promote({
    kind: "trial",
    basisPoints: null,
    trialDays: 14,
    packageIds: [pack.id],
    requiresCode: false,
  });
  const sale = await sell(saleOf(pack.id), { state: "pending" });
  const { periodStart, periodEnd } = await resolve(sale.id, "succeeded");
  const days = (Date.parse(periodEnd as string) - Date.parse(periodStart as string)) / dayMs;
  expect(days).toBeGreaterThan(14 + 27);
});

test("T9 dispute events that arrive before the payment end in the same state", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id), { state: "pending" });
  const base = Date.now();
  const events = (["succeeded", "disputed", "dispute lost"] as const).map((type, place) => ({
    type,
    at: new Date(base + place * 1000),
    source: "provider" as const,
    sourceId: `evt_${place}`,
  }));
  for (const event of events.toReversed())
    await platform.db.transaction().execute(async (db) => {
      const locked = await lockTransaction(db, sale.id);
      if (locked) await applyEvents(db, locked, [event], { now: new Date(), zone });
    });
  expect(await read(sale.id)).toMatchObject({ state: "charged back", refunded: 1200 });
});
