import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { moneyIn, monthly, yearly } from "./testing.ts";

const money = await moneyIn(await testProduct());
const { newGroup, putOnSale, newCustomer, buy, change, withdraw, preview } = money;
const { salesOf, payPending, cashPaidBy, balanceOf, currentOf, requestRenewal } = money;

/** A customer who just paid 100.00 for a year, and two packages for 300.00. */
const subscribe = async () => {
  const group = newGroup();
  const small = await putOnSale([yearly(10_000)], { group });
  const large = await putOnSale([yearly(30_000)], { group });
  const other = await putOnSale([yearly(30_000)], { group });
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, small);
  return { customer, subscriptionId, group, large, other };
};

/** A customer who just paid 300.00 for a year, and a package for 10.00 a month. */
const subscribeForYear = async () => {
  const group = newGroup();
  const large = await putOnSale([yearly(30_000)], { group });
  const small = await putOnSale([monthly(1000)], { group });
  const customer = await newCustomer();
  const purchase = await buy(customer, large);
  return { customer, purchase, subscriptionId: purchase.subscriptionId, large, small };
};

test("M1 two changes of a subscription take the 100.00 that it is worth off only once", async () => {
  const { customer, subscriptionId, large, other } = await subscribe();
  const first = await change(subscriptionId, large);
  expect(first.status, first.text).toBe(200);
  const second = await change(subscriptionId, other);
  await payPending(customer);
  expect(await cashPaidBy(customer)).toBe(30_000);
  expect(second).toMatchObject({
    status: 409,
    body: { type: "urn:purser:problem:wrong_state", reason: "change_pending" },
  });
  expect((await currentOf(customer)).package.id).toBe(large.id);
});

test.each(["pending", "succeeded"])(
  "M1 a %s sale of another package of the group waits until the pending change is withdrawn",
  async (state) => {
    const { customer, subscriptionId, large, other } = await subscribe();
    await change(subscriptionId, large);
    const sale = () => money.record(money.saleTo(customer, other, { state }));
    expect(await sale()).toMatchObject({ status: 409, body: { reason: "change_pending" } });
    await withdraw(subscriptionId);
    expect(await sale()).toMatchObject({ status: 201 });
  },
);

test("M1 of two changes at the same time one is accepted", async () => {
  const { customer, subscriptionId, large, other } = await subscribe();
  const answers = await Promise.all([large, other].map((pack) => change(subscriptionId, pack)));
  await payPending(customer);
  expect(await cashPaidBy(customer)).toBe(30_000);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("M1 a pending change is shown, and its credit is available again once it is withdrawn", async () => {
  const { customer, subscriptionId, large, other } = await subscribe();
  const { body: changed } = await change(subscriptionId, large);
  await withdraw(subscriptionId);
  await change(subscriptionId, other);
  await payPending(customer);
  expect(await cashPaidBy(customer)).toBe(30_000);
  expect(changed).toMatchObject({ pendingChange: { package: { id: large.id }, due: 20_000 } });
  expect((await currentOf(customer)).package.id).toBe(other.id);
});

test("M3 a change from 300.00 a year to 10.00 a month puts 290.00 on the balance", async () => {
  const { customer, subscriptionId, small } = await subscribeForYear();
  const shown = await preview(subscriptionId, small);
  const changed = await change(subscriptionId, small);
  expect(changed.status, changed.text).toBe(200);
  expect(await balanceOf(customer)).toBe(29_000);
  expect(shown.body).toMatchObject({
    total: 1000,
    payment: { fromCredits: 1000, fromBalance: 0, due: 0, toBalance: 29_000 },
  });
  const [sale] = await salesOf(customer, "change");
  expect(sale).toMatchObject({ state: "succeeded", total: 1000, balanceAmount: 1000 });
});

test("M3 the balance pays the renewals after a change to a cheaper package", async () => {
  const { customer, subscriptionId, small } = await subscribeForYear();
  await change(subscriptionId, small);
  await requestRenewal((await currentOf(customer)).id);
  const [renewal] = await salesOf(customer, "renewal");
  expect(renewal).toMatchObject({ state: "succeeded", total: 1000, balanceAmount: 1000 });
  expect((await currentOf(customer)).status).toBe("active");
  expect(await balanceOf(customer)).toBe(28_000);
  expect(await cashPaidBy(customer)).toBe(30_000);
});

test("M3 the rest of a change is refunded if the customer wants it back", async () => {
  const { customer, subscriptionId, small } = await subscribeForYear();
  await change(subscriptionId, small, { rest: "payment method" });
  const refunds = await salesOf(customer, "refund");
  expect(refunds.map(({ total }) => total)).toEqual([29_000]);
  expect(await balanceOf(customer)).toBe(0);
});

test("M3 each change credits the whole value of the package before it", async () => {
  const { customer, subscriptionId, group, large } = await subscribe();
  const largest = await putOnSale([yearly(40_000)], { group });
  await change(subscriptionId, large);
  await payPending(customer);
  expect(await cashPaidBy(customer)).toBe(30_000);
  await change((await currentOf(customer)).id, largest);
  await payPending(customer);
  expect(await cashPaidBy(customer)).toBe(40_000);
});

test("M3 a change to a cheaper package and back costs nothing", async () => {
  const { customer, subscriptionId, large, small } = await subscribeForYear();
  await change(subscriptionId, small);
  await change((await currentOf(customer)).id, large);
  await payPending(customer);
  expect(await cashPaidBy(customer)).toBe(30_000);
  expect((await currentOf(customer)).package.id).toBe(large.id);
  expect(await balanceOf(customer)).toBe(0);
});

/** A customer who just paid 100.00 for a unit for a year. */
const subscribeToUnits = async () => {
  const pack = await putOnSale([{ ...yearly(10_000), perUnit: true }]);
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, pack);
  return { pack, customer, subscriptionId };
};

test("M1 a paid change of the quantity keeps the period", async () => {
  const { pack, customer, subscriptionId } = await subscribeToUnits();
  const before = await currentOf(customer);
  const changed = await change(subscriptionId, pack, { quantity: 3 });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body.pendingChange).toMatchObject({ due: 20_000 });
  await payPending(customer);
  const { quantity, periodEnd } = await currentOf(customer);
  expect({ quantity, periodEnd }).toEqual({ quantity: 3, periodEnd: before.periodEnd });
});

test("M1 a second change of the quantity is refused until the first one is withdrawn", async () => {
  const { pack, customer, subscriptionId } = await subscribeToUnits();
  await change(subscriptionId, pack, { quantity: 3 });
  expect(await change(subscriptionId, pack, { quantity: 4 })).toMatchObject({
    status: 409,
    body: { reason: "change_pending" },
  });
  expect((await withdraw(subscriptionId)).status).toBe(200);
  expect((await change(subscriptionId, pack, { quantity: 4 })).status).toBe(200);
  await payPending(customer);
  expect(await currentOf(customer)).toMatchObject({ quantity: 4 });
});
