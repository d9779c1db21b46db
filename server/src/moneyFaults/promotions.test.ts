import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { cashOf, moneyIn, monthly, yearly } from "./testing.ts";

const money = await moneyIn(await testProduct());
const { seats, promote, newGroup, putOnSale, newCustomer, saleTo, quote, record, buy } = money;
const { preview, change, payPending, salesOf, currentOf, requestRenewal, check } = money;

const newCode = () => randomUUID().slice(0, 8).toUpperCase();

/** Packages for 10.00 and 30.00 a year, and a customer who bought the smaller one with a code. */
const subscribe = async (details: object, applies: "to both" | "to the smaller one") => {
  const group = newGroup();
  const small = await putOnSale([yearly(1000)], { group });
  const large = await putOnSale([yearly(3000)], { group });
  const code = newCode();
  const packageIds = applies === "to both" ? [small.id, large.id] : [small.id];
  const { name } = await promote({ name: `Half ${code}`, code, packageIds, ...details });
  const customer = await newCustomer();
  const { total, subscriptionId } = await buy(customer, small, { codes: [code] });
  return { customer, total, subscriptionId, large, name };
};

const half = { basisPoints: 5000, duration: "forever" };

test("M9 a discount for all payments continues after a change if it applies to the new package", async () => {
  const { customer, total, subscriptionId, large, name } = await subscribe(half, "to both");
  expect(total).toBe(500);
  const shown = await preview(subscriptionId, large);
  await change(subscriptionId, large);
  const [sale] = await salesOf(customer, "change");
  expect(cashOf(sale)).toBe(1000);
  expect(sale).toMatchObject({ subtotal: 3000, discount: 1500, total: 1500 });
  expect(shown.body).toMatchObject({ total: 1500, promotions: [{ name, continues: true }] });
  await payPending(customer);
  await requestRenewal((await currentOf(customer)).id);
  const [renewal] = await salesOf(customer, "renewal");
  expect(renewal).toMatchObject({ subtotal: 3000, discount: 1500, total: 1500 });
});

test("M9 the feature of a promotion continues after a change", async () => {
  const feature = { kind: "feature", basisPoints: null, featureId: seats.id, value: 9 };
  const { customer, subscriptionId, large } = await subscribe(feature, "to both");
  expect((await check(customer)).value).toBe(9);
  await change(subscriptionId, large);
  await payPending(customer);
  expect((await currentOf(customer)).package.id).toBe(large.id);
  expect((await check(customer)).value).toBe(9);
});

test("M9 the preview of a change says that a discount ends, and why", async () => {
  const { customer, subscriptionId, large, name } = await subscribe(half, "to the smaller one");
  const shown = await preview(subscriptionId, large);
  await change(subscriptionId, large);
  const [sale] = await salesOf(customer, "change");
  expect(cashOf(sale)).toBe(2500);
  expect(shown.body).toMatchObject({
    promotions: [{ name, continues: false, message: expect.anything() }],
  });
});

/** A sale for 12.00 with a code that only applies to yearly payments. */
const sellWithYearlyCode = async () => {
  const pack = await putOnSale([monthly(1200), yearly(12_000)]);
  const code = newCode();
  await promote({ code, packageIds: [pack.id], intervals: ["year"] });
  const customer = await newCustomer();
  return { pack, code, customer, sale: saleTo(customer, pack, { codes: [code] }) };
};

test("M13 a code that doesn't apply blocks the sale until it is removed", async () => {
  const { pack, customer, sale } = await sellWithYearlyCode();
  const refused = await record(sale);
  expect((await salesOf(customer)).map(({ total }) => total)).toEqual([]);
  expect(refused).toMatchObject({
    status: 409,
    body: { type: "urn:purser:problem:wrong_state", reason: "promotion_code_rejected" },
  });
  expect(await buy(customer, pack)).toMatchObject({ state: "succeeded", total: 1200 });
});

test("M13 a sale with a code that doesn't apply is recorded once the price is accepted", async () => {
  const { customer, sale, code } = await sellWithYearlyCode();
  const refused = await record(sale);
  expect((await salesOf(customer)).map(({ total }) => total)).toEqual([]);
  expect(refused.status).toBe(409);
  expect(await quote(sale)).toMatchObject({
    total: 1200,
    rejectedCodes: [{ code, message: expect.anything() }],
  });
  const accepted = await record({ ...sale, acceptRejectedCodes: true });
  expect(accepted).toMatchObject({ status: 201, body: { state: "succeeded", total: 1200 } });
});
