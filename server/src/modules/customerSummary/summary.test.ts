import { randomUUID } from "node:crypto";
import { changeBalance } from "@purser/contract/money/balance";
import { disputeTransaction, resolveTransaction } from "@purser/contract/transactions/actions";
import { getFeatureOffer, getUserSummary } from "@purser/contract/users/summary";
import { expect, test } from "vitest";
import { renew } from "#modules/subscriptions/renewals.ts";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import { testProduct } from "#testing.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const shop = await shopIn(product);
const { admin, sellPackage, promote, saleOf, sell, read } = shop;

const zone = "Europe/Tallinn";

const summaryOf = async (id: string) =>
  (await call(admin, getUserSummary, { params: { id } })).body;

const periodEnd = async (id: string | null) => {
  const { rows } = await owner.query("select period_end from subscriptions where id = $1", [id]);
  return rows[0].period_end as Date;
};

const renewDue = async (id: string | null) => {
  const now = await periodEnd(id);
  await platform.db.transaction().execute((db) => renew(db, id ?? "", { now, zone }));
  const { rows } = await owner.query(
    `select id, total::int, balance_amount::int as "fromBalance", currency from transactions
     where subscription_id = $1 and kind = 'renewal' order by id desc limit 1`,
    [id],
  );
  return rows[0];
};

const resolve = async (id: string, outcome: "succeeded" | "failed") => {
  const { version } = await read(id);
  const body = { outcome, evidence: "The bank says so" };
  expect((await call(admin, resolveTransaction, { params: { id }, version, body })).status).toBe(
    200,
  );
};

test("the next payment is what the renewal charges, with discounts that last and the balance", async () => {
  const code = randomUUID().slice(0, 12);
  await promote({ code, basisPoints: 5000, duration: "forever" });
  const { user, subscriptionId } = await sell(saleOf((await sellPackage()).id, { codes: [code] }));
  const params = { id: user.id };
  await call(admin, changeBalance, {
    params,
    body: { currency: "EUR", amount: 250, reason: "Sorry" },
  });
  const { nextPayment, payments, transactions } = await summaryOf(user.id);
  expect(nextPayment).toMatchObject({ total: 600, fromBalance: 250, due: 350, currency: "EUR" });
  expect(nextPayment?.at).toBe((await periodEnd(subscriptionId)).toISOString());
  expect([payments, transactions]).toEqual([1, 1]);
  expect(await renewDue(subscriptionId)).toMatchObject({ total: 600, fromBalance: 250 });
});

test("the subscription that renews first is the next payment, and canceled ones aren't", async () => {
  const [yearly, monthly] = [await sellPackage(), await sellPackage()];
  const first = await sell(saleOf(yearly.id, { interval: "year" }));
  const second = await sell(saleOf(monthly.id, { email: first.user.email }));
  const { id } = first.user;
  expect((await summaryOf(id)).nextPayment).toMatchObject({ total: 1200 });
  const cancel = (subscription: string | null) =>
    owner.query("update subscriptions set status = 'ending' where id = $1", [subscription]);
  await cancel(second.subscriptionId);
  expect((await summaryOf(id)).nextPayment).toMatchObject({ total: 12_000 });
  await cancel(first.subscriptionId);
  expect((await summaryOf(id)).nextPayment).toBeNull();
});

test("a failed renewal is a problem until it is paid", async () => {
  const { user, subscriptionId } = await sell(saleOf((await sellPackage()).id));
  expect((await summaryOf(user.id)).problems).toEqual([]);
  const renewal = await renewDue(subscriptionId);
  expect((await summaryOf(user.id)).problems, "it may still be paid").toEqual([]);
  await resolve(renewal.id, "failed");
  expect((await summaryOf(user.id)).problems).toMatchObject([
    { kind: "payment failed", amount: 1200, currency: "EUR", transaction: { id: renewal.id } },
  ]);
  await resolve(renewal.id, "succeeded");
  expect((await summaryOf(user.id)).problems).toEqual([]);
});

test("what each subscription charges next has its quantity, discounts and tax, as its payments have", async () => {
  const code = randomUUID().slice(0, 12);
  await promote({ code, basisPoints: 5000, duration: "forever" });
  const price = {
    currency: "EUR",
    amount: 1200,
    interval: "month",
    intervalCount: 1,
    perUnit: true,
  };
  const [solo, seats] = [await sellPackage(), await sellPackage({ prices: [price] })];
  const first = await sell(saleOf(solo.id, { codes: [code] }));
  const second = await sell(saleOf(seats.id, { email: first.user.email, quantity: 5 }));
  const { renewals, nextPayment } = await summaryOf(first.user.id);
  const byId = new Map(renewals.map((one) => [one.subscriptionId, one]));
  expect(byId.get(first.subscriptionId ?? "")).toMatchObject({ total: 600, isOverdue: false });
  expect(byId.get(second.subscriptionId ?? "")).toMatchObject({ total: 6000, isOverdue: false });
  expect(nextPayment?.total).toBe(renewals[0]?.total);
});

test("an overdue subscription charges what its renewal was recorded with, and isn't the next payment", async () => {
  const { user, subscriptionId } = await sell(saleOf((await sellPackage()).id));
  const renewal = await renewDue(subscriptionId);
  await resolve(renewal.id, "failed");
  const { renewals, nextPayment } = await summaryOf(user.id);
  expect(renewals).toMatchObject([
    { subscriptionId, total: renewal.total, currency: "EUR", isOverdue: true },
  ]);
  expect(nextPayment).toBeNull();
});

test("a dispute is a problem", async () => {
  const { user, id } = await sell(saleOf((await sellPackage()).id, {}));
  const { version } = await read(id);
  const disputed = await call(admin, disputeTransaction, {
    params: { id },
    version,
    body: { outcome: "disputed", evidence: "A letter of the bank" },
  });
  expect(disputed.status, disputed.text).toBe(200);
  expect((await summaryOf(user.id)).problems).toMatchObject([{ kind: "disputed" }]);
});

test("finds nothing of a user that doesn't exist", async () => {
  const params = { id: randomUUID() };
  expect((await call(admin, getUserSummary, { params })).status).toBe(404);
  const query = { featureId: randomUUID() };
  expect((await call(admin, getFeatureOffer, { params, query })).status).toBe(404);
});

test("offers the cheapest package on sale with a feature that the customer doesn't have", async () => {
  const app = await shop.newApp();
  const feature = await shop.newLimit(app.id);
  const price = (amount: number, interval = "month", currency = "EUR") => ({
    currency,
    amount,
    interval,
  });
  const packageWith = async (prices: object[]) => {
    const pack = await shop.newPackage({ prices });
    await shop.give(pack.id, feature, 5);
    return (await shop.publish(pack.id)).body;
  };
  const { user } = await sell(saleOf((await sellPackage()).id));
  const offer = async () =>
    (
      await call(admin, getFeatureOffer, {
        params: { id: user.id },
        query: { featureId: feature.id },
      })
    ).body.offer;
  expect(await offer()).toBeNull();
  const dear = await packageWith([price(2000)]);
  expect(await offer()).toMatchObject({ package: { id: dear.id }, amount: 2000 });
  const yearly = await packageWith([price(12_000, "year"), price(3000)]);
  expect(await offer()).toMatchObject({ package: { id: yearly.id }, interval: "year" });
  await packageWith([price(1, "month", "USD")]);
  await packageWith([price(5, "once")]);
  expect(await offer()).toMatchObject({ package: { id: yearly.id } });
  await sell(saleOf(yearly.id, { email: user.email }));
  expect(await offer()).toMatchObject({ package: { id: dear.id } });
});
