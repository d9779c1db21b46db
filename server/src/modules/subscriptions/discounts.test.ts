import { getPromotion } from "@purser/contract/promotions/endpoints";
import { discountSubscription, getSubscription } from "@purser/contract/subscriptions/endpoints";
import { resolveTransaction } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { findBroken } from "../transactions/testing/invariants.testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renew } from "./renewals.ts";

const product = await testProduct();
const { call, owner, platform, signIn } = product;
const { admin, promote, sellPackage, saleOf, sell, read } = await shopIn(product);
const support = await signIn("support");
const zone = "UTC";

const subscribe = async () => {
  const pack = await sellPackage();
  const { subscriptionId, user } = await sell(saleOf(pack.id));
  return { id: subscriptionId ?? "", user, pack };
};

const shown = async (id: string) => (await call(admin, getSubscription, { params: { id } })).body;

const give = async (id: string, details: object, by = support) => {
  const { version } = await shown(id);
  const body = { payments: 2, reason: "Mails came late.", ...details };
  return call(by, discountSubscription, { params: { id }, version, body });
};

/** Pays the next renewal and returns its total. */
const renewed = async (id: string) => {
  const { periodEnd } = await shown(id);
  const now = new Date(periodEnd);
  await platform.db.transaction().execute((db) => renew(db, id, { now, zone }));
  const { rows } = await owner.query<{ id: string; version: number }>(
    "select id, version from transactions where subscription_id = $1 and state = 'pending'",
    [id],
  );
  const { id: saleId = "", version = 0 } = rows[0] ?? {};
  const { total } = await read(saleId);
  const paid = await call(admin, resolveTransaction, {
    params: { id: saleId },
    version,
    body: { outcome: "succeeded", evidence: "Paid." },
  });
  expect(paid.status, paid.text).toBe(200);
  return total;
};

test("a percentage discount applies to the next payments, then the full price returns", async () => {
  const { id } = await subscribe();
  expect(await renewed(id)).toBe(1200);
  const given = await give(id, { basisPoints: 2500 });
  expect(given.status, given.text).toBe(200);
  expect(given.body.discounts).toEqual([
    {
      name: expect.stringMatching(/^Discount: /),
      basisPoints: 2500,
      amount: null,
      paymentsLeft: 2,
    },
  ]);
  expect(await renewed(id)).toBe(900);
  expect((await shown(id)).discounts).toMatchObject([{ paymentsLeft: 1 }]);
  expect(await renewed(id)).toBe(900);
  expect((await shown(id)).discounts).toEqual([]);
  expect(await renewed(id)).toBe(1200);
});

test("a fixed discount applies in the subscription's currency", async () => {
  const { id } = await subscribe();
  expect((await give(id, { amount: 300, payments: 1 })).status).toBe(200);
  expect(await renewed(id)).toBe(900);
  expect(await renewed(id)).toBe(1200);
});

test("a discount does not change a pending payment", async () => {
  const { id } = await subscribe();
  const { periodEnd } = await shown(id);
  const now = new Date(periodEnd);
  await platform.db.transaction().execute((db) => renew(db, id, { now, zone }));
  expect((await give(id, { basisPoints: 5000, payments: 1 })).status).toBe(200);
  expect(await renewed(id)).toBe(1200);
  expect(await renewed(id)).toBe(600);
  expect(await renewed(id)).toBe(1200);
});

test("support can discount up to half of three payments, roles that record payments more", async () => {
  const { id } = await subscribe();
  for (const much of [{ basisPoints: 6000 }, { amount: 601 }, { basisPoints: 100, payments: 4 }]) {
    const refused = await give(id, much);
    expect(refused.status).toBe(403);
    expect(refused.body["detail"]).toBe(
      "Your role can discount 3 payments by up to 50%. Ask an owner or admin for a larger discount.",
    );
  }
  expect((await give(id, { basisPoints: 6000 }, admin)).status).toBe(200);
});

test("support can add a discount only after the last one is used up, roles that record payments at once", async () => {
  const { id } = await subscribe();
  const half = { amount: 600, payments: 1 };
  expect((await give(id, half)).status).toBe(200);
  const refused = await give(id, half);
  expect(refused.status, refused.text).toBe(403);
  expect(refused.body["detail"]).toBe(
    "An earlier discount still applies to this subscription. Ask an owner or admin to add another one.",
  );
  expect(await renewed(id)).toBe(600);
  expect((await give(id, half)).status).toBe(200);
  expect((await give(id, { amount: 500, payments: 1 }, admin)).status).toBe(200);
  expect(await renewed(id)).toBe(100);
});

test("a promotion of the purchase does not prevent a discount by support", async () => {
  const pack = await sellPackage();
  await promote({
    packageIds: [pack.id],
    requiresCode: false,
    stacking: "stackable",
    duration: "periods",
    periods: 6,
  });
  const { subscriptionId } = await sell(saleOf(pack.id));
  const id = subscriptionId ?? "";
  expect((await shown(id)).discounts).toMatchObject([{ paymentsLeft: 5 }]);
  expect((await give(id, { basisPoints: 1000 })).status).toBe(200);
});

test("a period recorded manually at full price uses no discount", async () => {
  const { id, user, pack } = await subscribe();
  const sellPeriod = () => sell(saleOf(pack.id, { email: user.email }), { isNoDuplicate: true });
  expect(await sellPeriod()).toMatchObject({ subscriptionId: id, total: 1200 });
  expect((await give(id, { basisPoints: 5000, payments: 1 })).status).toBe(200);
  expect(await sellPeriod()).toMatchObject({ subscriptionId: id, total: 1200 });
  expect((await shown(id)).discounts).toMatchObject([{ paymentsLeft: 1 }]);
  expect(await renewed(id)).toBe(600);
  expect((await shown(id)).discounts).toEqual([]);
  expect(await renewed(id)).toBe(1200);
});

test("refuses a discount for a subscription that will not renew", async () => {
  const { id } = await subscribe();
  await owner.query("update subscriptions set status = 'ending' where id = $1", [id]);
  expect((await give(id, { basisPoints: 100 })).status).toBe(409);
});

test("a discount is an archived promotion with one redemption, and counters stay correct", async () => {
  const { id } = await subscribe();
  await give(id, { basisPoints: 1000 });
  const { rows } = await owner.query<{ id: string }>(
    "select promotion_id as id from redemptions where subscription_id = $1",
    [id],
  );
  const promotion = await call(admin, getPromotion, { params: { id: rows[0]?.id ?? "" } });
  expect(promotion.body).toMatchObject({ status: "archived", redemptions: 1 });
  const query = async (text: string, values?: unknown[]) => (await owner.query(text, values)).rows;
  expect(await findBroken(query as never)).toEqual([]);
});
