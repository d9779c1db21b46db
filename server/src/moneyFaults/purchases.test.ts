import { randomUUID } from "node:crypto";
import { startTrial } from "@purser/contract/subscriptions/endpoints";
import { expect, test } from "vitest";
import {
  paymentIntent,
  productWithProviders,
  stripeEvent,
} from "#modules/providers/testing/testing.ts";
import { cashOf, daysAfter, daysAgo, moneyIn, monthly, per30Days, yearly } from "./testing.ts";

// Without daylight saving, so that days have the same length.
const product = await productWithProviders({ COMPANY_TIME_ZONE: "UTC" });
const { call, postStripe, postBank, settleAll } = product;
const money = await moneyIn(product);
const { admin, newGroup, putOnSale, newCustomer, saleTo, quote, record, buy, cancel } = money;
const { preview, salesOf, cashPaidBy, subscription, currentOf, check } = money;

type Buyer = Awaited<ReturnType<typeof newCustomer>>;
type Pack = Awaited<ReturnType<typeof putOnSale>>;

/** Payments that Purser doesn't know yet, which say what they are for. */
const payBy = {
  Stripe: async ({ email }: Buyer, { code, price }: Pack, amount: number) => {
    const metadata = {
      purser_email: email,
      purser_package: code,
      purser_interval: price.interval,
      purser_interval_count: String(price.intervalCount),
    };
    const paid = paymentIntent(`pi_${randomUUID()}`, amount, { metadata });
    const posted = await postStripe(stripeEvent("payment_intent.succeeded", paid));
    expect(posted.statusCode).toBe(202);
    await settleAll();
  },
  "a bank": async ({ email }: Buyer, { code, price }: Pack, amount: number) => {
    const { currency, interval, intervalCount } = price;
    const sale = { email, package: code, interval, intervalCount };
    const about = { type: "payment", payment: randomUUID(), at: new Date().toISOString() };
    const posted = await postBank({ ...about, outcome: "succeeded", amount, currency, sale });
    expect(posted.statusCode).toBe(202);
    await settleAll();
  },
} as const;

/** A customer who paid 100.00 for a year some minutes ago, and a package for 300.00. */
const subscribe = async () => {
  const group = newGroup();
  const small = await putOnSale([yearly(10_000)], { group });
  const large = await putOnSale([yearly(30_000)], { group });
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, small, { occurredAt: daysAgo(0.005) });
  return { customer, subscriptionId, large };
};

test("M4 a sale of another package credits unused time like a change", async () => {
  const { customer, subscriptionId, large } = await subscribe();
  const shown = await preview(subscriptionId, large);
  const quoted = await quote(saleTo(customer, large));
  const sale = await buy(customer, large);
  expect(cashOf(sale)).toBe(20_000);
  expect(sale).toMatchObject({ kind: "change", state: "succeeded", total: 30_000 });
  const payment = { fromCredits: 10_000, fromBalance: 0, due: 20_000, toBalance: 0 };
  expect(quoted).toMatchObject({ total: 30_000, payment });
  expect(shown.body).toMatchObject({ total: 30_000, payment });
  expect(await subscription(subscriptionId)).toMatchObject({ status: "ended" });
  expect((await currentOf(customer)).package.id).toBe(large.id);
});

test.each(["Stripe", "a bank"] as const)(
  "M4 a payment of what is due for another package, received from %s, changes the package",
  async (provider) => {
    const { customer, subscriptionId, large } = await subscribe();
    await payBy[provider](customer, large, 20_000);
    expect(await cashPaidBy(customer)).toBe(30_000);
    const [sale] = await salesOf(customer, "change");
    expect(sale).toMatchObject({ state: "succeeded", total: 30_000, balanceAmount: 10_000 });
    expect(await subscription(subscriptionId)).toMatchObject({ status: "ended" });
    expect((await currentOf(customer)).package.id).toBe(large.id);
  },
);

const subscribeMonthly = async () => {
  const [month, year, dollars] = [monthly(1000), yearly(10_000), monthly(1100, "USD")];
  const pack = await putOnSale([month, year, dollars]);
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, pack);
  return { customer, subscriptionId, pack, prices: { year, dollars } };
};

const termsOf = async (id: string | null) => {
  const { status, price, periodStart, periodEnd } = await subscription(id);
  return { status, price, periodStart, periodEnd };
};

test.each(["year", "dollars"] as const)(
  "M10 a sale for another interval or currency (%s) doesn't change the current period",
  async (name) => {
    const { customer, subscriptionId, pack, prices } = await subscribeMonthly();
    const before = await termsOf(subscriptionId);
    const answer = await record(saleTo(customer, { ...pack, price: prices[name] }));
    expect(await termsOf(subscriptionId)).toEqual(before);
    // Refused, or paid in advance for the time after the current period.
    expect([201, 409], answer.text).toContain(answer.status);
  },
);

test("M10 a provider's payment for a year doesn't change the current period", async () => {
  const { customer, subscriptionId, pack, prices } = await subscribeMonthly();
  const before = await termsOf(subscriptionId);
  await payBy.Stripe(customer, { ...pack, price: prices.year }, 10_000);
  expect(await termsOf(subscriptionId)).toEqual(before);
});

test("M12 an add-on is sold only to customers with a base package", async () => {
  const addOn = await putOnSale([monthly(500)], { kind: "add-on" });
  const customer = await newCustomer();
  const refused = await record(saleTo(customer, addOn));
  expect((await salesOf(customer)).map(({ total }) => total)).toEqual([]);
  expect(refused).toMatchObject({
    status: 409,
    body: { type: "urn:purser:problem:wrong_state" },
  });
  await buy(customer, await putOnSale([monthly(1000)]));
  expect((await record(saleTo(customer, addOn))).status).toBe(201);
});

test("M12 a trial of an add-on needs a base package", async () => {
  const addOn = await putOnSale([monthly(500)], { kind: "add-on", trialDays: 14 });
  const customer = await newCustomer();
  const { packageId, currency, interval } = saleTo(customer, addOn);
  const body = { email: customer.email, packageId, currency, interval };
  const refused = await call(admin, startTrial, { body });
  expect((await check(customer)).value).toBe(1);
  expect(refused.status).toBe(409);
});

test("M12 a provider's payment for an add-on gives no access without a base package", async () => {
  const addOn = await putOnSale([monthly(500)], { kind: "add-on" });
  const customer = await newCustomer();
  await payBy.Stripe(customer, addOn, 500);
  expect((await check(customer)).value).toBe(1);
});

test("M12 a purchase starts with the trial days of its package, once per customer", async () => {
  const pack = await putOnSale([per30Days(3000)], { trialDays: 14 });
  const customer = await newCustomer();
  expect(await quote(saleTo(customer, pack))).toMatchObject({ trialDays: 14, total: 3000 });
  const purchase = await buy(customer, pack);
  const { subscriptionId, occurredAt } = purchase;
  expect((await subscription(subscriptionId)).periodEnd).toBe(daysAfter(occurredAt, 44));
  await cancel(subscriptionId, "now");
  expect(await quote(saleTo(customer, pack))).toMatchObject({ trialDays: 0, total: 3000 });
});
