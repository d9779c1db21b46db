import { randomUUID } from "node:crypto";
import { startTrial } from "@purser/contract/subscriptions/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { cashOf, moneyIn, yearly } from "./testing.ts";

const product = await testProduct();
const { call } = product;
const money = await moneyIn(product);
const { admin, promote, addTaxRate, newGroup, putOnSale, newCustomer, saleTo, buy, record } = money;
const { change, salesOf, payPending, requestRenewal, cashPaidBy } = money;

await addTaxRate("DE", 1900);
const newBuyer = () => newCustomer({ country: "DE" });
// Entered where the tax isn't calculated from the rate yet.
const entered = { tax: 190 };

test("M5 a renewal is taxed like the purchase", async () => {
  const pack = await putOnSale([yearly(1000)]);
  const buyer = await newBuyer();
  const purchase = await buy(buyer, pack, entered);
  expect(purchase).toMatchObject({ subtotal: 1000, tax: 190, total: 1190 });
  await requestRenewal(purchase.subscriptionId);
  const [renewal] = await salesOf(buyer, "renewal");
  expect(renewal).toMatchObject({ subtotal: 1000, tax: 190, total: 1190 });
});

test("M5 the first payment after a trial is taxed", async () => {
  const pack = await putOnSale([yearly(1000)], { trialDays: 14 });
  const buyer = await newBuyer();
  const { packageId, currency, interval } = saleTo(buyer, pack);
  const body = { email: buyer.email, packageId, currency, interval };
  const trial = await call(admin, startTrial, { body });
  expect(trial.status, trial.text).toBe(201);
  await requestRenewal(trial.body.id);
  const [renewal] = await salesOf(buyer, "renewal");
  expect(renewal).toMatchObject({ subtotal: 1000, tax: 190, total: 1190 });
});

test("M5 a change is taxed in full and credits 11.90 including tax", async () => {
  const group = newGroup();
  const small = await putOnSale([yearly(1000)], { group });
  const large = await putOnSale([yearly(3000)], { group });
  const buyer = await newBuyer();
  const { subscriptionId } = await buy(buyer, small, entered);
  await change(subscriptionId, large);
  const [sale] = await salesOf(buyer, "change");
  expect(cashOf(sale)).toBe(2380);
  expect(sale).toMatchObject({ subtotal: 3000, discount: 0, tax: 570, total: 3570 });
  await payPending(buyer);
  expect(await cashPaidBy(buyer)).toBe(3570);
});

test("M5 refuses a tax of 999.99 on 10.00", async () => {
  const pack = await putOnSale([yearly(1000)]);
  const buyer = await newBuyer();
  const absurd = { tax: 99_999, manualTax: 99_999, taxReason: "Copied from the invoice" };
  const refused = await record(saleTo(buyer, pack, absurd));
  expect((await salesOf(buyer)).map(({ tax, total }) => ({ tax, total }))).toEqual([]);
  expect(refused.status).toBe(400);
});

test("M5 refuses a tax that was entered without a reason", async () => {
  const pack = await putOnSale([yearly(1000)]);
  const buyer = await newBuyer();
  const refused = await record(saleTo(buyer, pack, { tax: 150, manualTax: 150 }));
  expect((await salesOf(buyer)).map(({ tax, total }) => ({ tax, total }))).toEqual([]);
  expect(refused.status).toBe(400);
});

test("M5 a sale with a discount of 100 % has no tax", async () => {
  const pack = await putOnSale([yearly(1000)]);
  const code = randomUUID().slice(0, 12);
  await promote({ code, basisPoints: 10_000, packageIds: [pack.id] });
  const sale = await buy(await newBuyer(), pack, { codes: [code], tax: 190 });
  expect(sale).toMatchObject({ subtotal: 1000, discount: 1000, tax: 0, total: 0 });
});
