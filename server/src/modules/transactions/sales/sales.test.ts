import { randomUUID } from "node:crypto";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { getPromotion, pausePromotion } from "@purser/contract/promotions/endpoints";
import { resolveTransaction } from "@purser/contract/transactions/actions";
import { listTransactions } from "@purser/contract/transactions/endpoints";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { testProduct } from "#testing.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, sellPackage, promote, saleOf, quote, record, sell, read } = await shopIn(product);

const seatsOf = async (userId: string) => {
  const { body } = await call(admin, getEntitlements, { params: { id: userId } });
  return body.items.find(({ lines }) => lines.some(({ isApplied }) => isApplied))?.value ?? null;
};

test("a quote applies promotions and explains each of them", async () => {
  const pack = await sellPackage();
  await promote({ code: "TENOFF", packageIds: [pack.id] });
  await promote({ code: "YEARLY", intervals: ["year"], packageIds: [pack.id] });
  const { quote: price, effect } = await quote(
    saleOf(pack.id, { codes: ["ten off", "yearly"], manualTax: 200, taxReason: "As invoiced" }),
  );
  expect(price).toMatchObject({ subtotal: 1200, discount: 120, tax: 200, total: 1280 });
  expect(price.trace.filter(({ code }) => code !== null)).toMatchObject([
    { code: "TENOFF", isApplied: true, amount: 120, reason: null },
    { code: "YEARLY", isApplied: false, amount: 0, reason: "interval" },
  ]);
  expect(price.later).toMatchObject([{ total: 1200 }]);
  expect(effect).toMatchObject({ makes: "subscription", apps: 1, features: 1 });
});

test("a paid sale starts a subscription and grants access", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id));
  expect(sale).toMatchObject({ kind: "purchase", state: "succeeded", total: 1200 });
  expect(sale.number).toMatch(/^TX-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(await seatsOf(sale.user.id)).toBe(5);
  const details = await read(sale.id);
  expect(details.events.map(({ type }) => type).toSorted()).toEqual([
    "created",
    "submitted",
    "succeeded",
  ]);
  expect(details.snapshot).toMatchObject({ package: "Studio", price: 1200, interval: "month" });
  expect(details.grants).toMatchObject([{ isActive: true }]);
});

test("a pending sale grants nothing until it is resolved with evidence", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id), { state: "pending" });
  expect(await seatsOf(sale.user.id)).toBeNull();
  const paid = await call(admin, resolveTransaction, {
    params: { id: sale.id },
    version: sale.version,
    body: { outcome: "succeeded", evidence: "Bank statement 12, line 4" },
  });
  expect(paid.body.state).toBe("succeeded");
  expect(await seatsOf(sale.user.id)).toBe(5);
});

test("I15 a sale paid later grants the version it was sold with", async () => {
  const pack = await sellPackage();
  const { give, publish } = await shopIn(product);
  const sale = await sell(saleOf(pack.id), { state: "pending" });
  const details = await read(sale.id);
  expect(details.package?.number).toBe(1);
  const { rows } = await owner.query<{ id: string; app_id: string }>(
    "select feature_id as id, app_id from version_values where version_id in (select id from package_versions where package_id = $1)",
    [pack.id],
  );
  const [{ id = "", app_id: appId = "" } = {}] = rows;
  await give(pack.id, { id, app: { id: appId } }, 9);
  await publish(pack.id);
  await call(admin, resolveTransaction, {
    params: { id: sale.id },
    version: sale.version,
    body: { outcome: "succeeded", evidence: "Paid" },
  });
  expect(await seatsOf(sale.user.id)).toBe(5);
});

test("a failed payment restores the redemption and can still succeed", async () => {
  const pack = await sellPackage();
  const promotion = await promote({ code: "ONCE1", redemptionLimit: 1, packageIds: [pack.id] });
  const redemptions = async () =>
    (await call(admin, getPromotion, { params: { id: promotion.id } })).body.redemptions;
  const sale = await sell(saleOf(pack.id, { codes: ["ONCE1"] }), { state: "pending" });
  expect(await redemptions()).toBe(1);
  const failed = await call(admin, resolveTransaction, {
    params: { id: sale.id },
    version: sale.version,
    body: { outcome: "failed", evidence: "Returned by the bank" },
  });
  expect(failed.body.state).toBe("failed");
  expect(await redemptions()).toBe(0);
});

test("a second identical sale within a day needs confirmation", async () => {
  const pack = await sellPackage({ kind: "base" });
  const sale = saleOf(pack.id);
  const first = await sell(sale);
  const again = await record(sale);
  expect(again.status).toBe(409);
  expect(again.body["current"]).toMatchObject({ number: first.number });
  expect((await record(sale, { isNoDuplicate: true })).status).toBe(201);
});

test("another payment for the same package adds the next period without gap or overlap", async () => {
  const pack = await sellPackage();
  const sale = saleOf(pack.id);
  const first = await sell(sale);
  const second = await sell(sale, { isNoDuplicate: true });
  expect(second.subscriptionId).toBe(first.subscriptionId);
  expect(second.periodStart).toBe(first.periodEnd);
  const { rows } = await owner.query<{ apart: boolean }>(
    `select bool_and(a.ends_at <= b.starts_at or b.ends_at <= a.starts_at) as apart
     from grants a join grants b on a.subscription_id = b.subscription_id and a.id < b.id
     where a.subscription_id = $1`,
    [first.subscriptionId],
  );
  expect(rows[0]?.apart).toBe(true);
});

test("another package of the group replaces the current one", async () => {
  const group = `g-${randomUUID().slice(0, 8)}`;
  const [small, large] = [await sellPackage({ group }), await sellPackage({ group })];
  const first = await sell(saleOf(small.id));
  const sale = saleOf(large.id, { email: first.user.email });
  const { effect } = await quote(sale);
  expect(effect).toMatchObject({ makes: "change", replaces: [{ name: "Studio" }] });
  const second = await sell(sale);
  expect(second.kind).toBe("change");
  const { rows } = await owner.query(
    "select package_id from grants where user_id = $1 and starts_at <= now() and ends_at > now()",
    [first.user.id],
  );
  expect(rows).toEqual([{ package_id: large.id }]);
});

test("I8 the database refuses changes to a settled transaction", async () => {
  const pack = await sellPackage();
  const { id } = await sell(saleOf(pack.id));
  for (const statement of [
    "update transactions set total = 1, subtotal = 1 where id = $1",
    "update transactions set user_id = (select id from users limit 1 offset 1) where id = $1",
    "update transactions set state = 'pending' where id = $1",
    "delete from transactions where id = $1",
  ])
    await expect(owner.query(statement, [id]), statement).rejects.toThrow();
});

test("refuses a sale if the price has changed since the quote", async () => {
  const pack = await sellPackage();
  const promotion = await promote({ code: "GONE", packageIds: [pack.id] });
  const sale = saleOf(pack.id, { codes: ["GONE"] });
  const { total } = (await quote(sale)).quote;
  await call(admin, pausePromotion, {
    params: { id: promotion.id },
    version: promotion.version,
    body: {},
  });
  const paid = { ...sale, state: "succeeded" as const, reference: randomUUID(), total };
  const body = { ...paid, acceptRejectedCodes: true };
  const refused = await call(admin, createTransaction, { body });
  expect(refused.status).toBe(409);
  expect(refused.body["current"]).toEqual({ total: 1200, due: 1200 });
});

test("search matches the start of a number, a reference or an email address", async () => {
  const pack = await sellPackage();
  const reference = `pi_${randomUUID()}`;
  const sale = await sell(saleOf(pack.id), { reference });
  for (const q of [
    sale.number.slice(0, 8).toLowerCase(),
    reference.slice(0, 12),
    sale.user.email,
  ]) {
    const { body } = await call(admin, listTransactions, { query: { q } });
    expect(
      body.items.map(({ id }) => id),
      q,
    ).toContain(sale.id);
  }
});

test("refuses a reference that is already recorded", async () => {
  const pack = await sellPackage();
  const reference = randomUUID();
  await sell(saleOf(pack.id), { reference });
  expect((await record(saleOf(pack.id), { reference })).status).toBe(409);
});

test(
  "T7 guessing codes is limited to a few attempts",
  async () => {
    const pack = await sellPackage();
    const guesser = await product.signIn("viewer");
    await promote({ code: "RIGHTONE", packageIds: [pack.id] });
    const guess = (code: string, address = "192.0.2.1") =>
      call(guesser, quoteSale, { body: saleOf(pack.id, { codes: [code] }), address });
    const answers: number[] = [];
    for (let tried = 0; tried < 3000; tried += 1)
      answers.push((await guess(`WRONG${tried}`, `192.0.2.${tried % 200}`)).status);
    expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(30);
    expect(new Set(answers)).toEqual(new Set([400, 429]));
    expect((await guess("RIGHTONE")).status).toBe(429);
  },
  patiently(60_000),
);
