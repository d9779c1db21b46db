import { previewRefund } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { cashOf, daysAgo, moneyIn, monthly, per30Days, yearly } from "./testing.ts";

const product = await testProduct();
const { call } = product;
const money = await moneyIn(product);
const { admin, newGroup, putOnSale, newCustomer, buy, change, refund } = money;
const { read, salesOf, payPending, currentOf } = money;

/** 11.90 for 30 days, of which 20 are credited to a package for 30.00. */
const upgrade = async () => {
  const group = newGroup();
  const small = await putOnSale([per30Days(1190)], { group });
  const large = await putOnSale([per30Days(3000)], { group });
  const customer = await newCustomer();
  const purchase = await buy(customer, small, { occurredAt: daysAgo(10) });
  await change(purchase.subscriptionId, large);
  await payPending(customer);
  const [sale] = await salesOf(customer, "change");
  expect(cashOf(sale)).toBe(2207);
  return { customer, purchase, large, changeId: sale?.id ?? "" };
};

test("M2 a refund after an upgrade returns only what the upgrade didn't credit", async () => {
  const { customer, purchase, large } = await upgrade();
  const refunded = await refund(purchase.id, "end now");
  expect(refunded.status, refunded.text).toBe(201);
  const { refunds, refundable } = await read(purchase.id);
  expect(refunds.map(({ total }) => total)).toEqual([397]);
  expect(refundable).toBe(0);
  expect(await currentOf(customer)).toMatchObject({ status: "active", package: { id: large.id } });
});

test("M2 the lines of a purchase show what an upgrade credited", async () => {
  const { purchase, changeId } = await upgrade();
  const details = await read(purchase.id);
  expect(details.refundable).toBe(397);
  expect(details).toMatchObject({ lines: [{ gross: 1190, credited: 793, refundable: 397 }] });
  expect(await read(changeId)).toMatchObject({
    total: 3000,
    balanceAmount: 793,
    credits: [{ transaction: { id: purchase.id }, reason: "change", gross: 793, state: "applied" }],
  });
  const body = { of: "full", to: "payment method", access: "keep" } as never;
  const shown = await call(admin, previewRefund, { params: { id: purchase.id }, body });
  expect(shown.body).toMatchObject({
    lines: [{ paid: 1190, credited: 793, refundable: 397, amount: 397 }],
    total: 397,
    toMethod: 397,
  });
});

test("M2 a purchase whose whole value was put on the balance can't be refunded again", async () => {
  const group = newGroup();
  const large = await putOnSale([yearly(30_000)], { group });
  const small = await putOnSale([monthly(1000)], { group });
  const customer = await newCustomer();
  const purchase = await buy(customer, large);
  await change(purchase.subscriptionId, small);
  const refused = await refund(purchase.id, "keep");
  expect((await salesOf(customer, "refund")).map(({ total }) => total)).toEqual([]);
  expect((await read(purchase.id)).refundable).toBe(0);
  expect(refused.status).toBe(409);
});
