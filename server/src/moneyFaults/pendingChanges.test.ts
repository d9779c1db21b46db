import { changeBalance } from "@purser/contract/money/balance";
import {
  disputeTransaction,
  resolveTransaction,
  submitTransaction,
} from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { findBroken } from "#modules/transactions/testing/invariants.testing.ts";
import { testProduct } from "#testing.ts";
import { moneyIn, yearly } from "./testing.ts";

const product = await testProduct();
const { call, owner } = product;
const money = await moneyIn(product);
const { newGroup, putOnSale, newCustomer, buy, change, record, saleTo, pay } = money;
const { admin, salesOf, balanceOf, currentOf, read } = money;

const expectNothingBroken = async () =>
  expect(await findBroken(async (text, values) => (await owner.query(text, values)).rows)).toEqual(
    [],
  );

const findPendingOf = async (customer: { id: string; email: string }, kind: "change") => {
  const [sale] = (await salesOf(customer, kind)).filter(({ state }) => state === "pending");
  return sale?.id ?? "";
};

/** A customer who paid 100.00 for a year, and ordered another year and a change to a package for 300.00. */
const orderBoth = async () => {
  const group = newGroup();
  const small = await putOnSale([yearly(10_000)], { group });
  const large = await putOnSale([yearly(30_000)], { group });
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, small);
  const another = await buy(customer, small, { state: "pending" });
  expect((await change(subscriptionId, large)).status).toBe(200);
  return { customer, small, large, another, changeId: await findPendingOf(customer, "change") };
};

test("M1 a year that is paid while a change is pending goes to the balance when the change is made", async () => {
  const { customer, large, another, changeId } = await orderBoth();
  await pay(another.id);
  await pay(changeId);
  expect((await currentOf(customer)).package.id).toBe(large.id);
  expect(await balanceOf(customer)).toBe(10_000);
  await expectNothingBroken();
});

test("M1 a change that seemed to fail credits the year that was paid in the meantime", async () => {
  const { customer, large, another, changeId } = await orderBoth();
  const { version } = await read(changeId);
  const body = { outcome: "failed" as const, evidence: "Bank statement" };
  await call(admin, resolveTransaction, { params: { id: changeId }, version, body });
  await pay(another.id);
  await pay(changeId);
  expect((await currentOf(customer)).package.id).toBe(large.id);
  expect(await balanceOf(customer)).toBe(10_000);
  await expectNothingBroken();
});

test("M1 a sale of the same package waits until the pending change is withdrawn", async () => {
  const { customer, small } = await orderBoth();
  expect(await record(saleTo(customer, small))).toMatchObject({
    status: 409,
    body: { reason: "change_pending" },
  });
});

test("M1 a payment for more units goes to the balance if a year was paid in the meantime", async () => {
  const pack = await putOnSale([{ ...yearly(10_000), perUnit: true }]);
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, pack);
  const another = await buy(customer, pack, { state: "pending" });
  await change(subscriptionId, pack, { quantity: 3 });
  const changeId = await findPendingOf(customer, "change");
  await pay(another.id);
  await pay(changeId);
  expect(await currentOf(customer)).toMatchObject({ quantity: 1 });
  expect(await balanceOf(customer)).toBe(20_000);
  await expectNothingBroken();
});

test("I12 a change waits until the dispute about the unused time is decided", async () => {
  const group = newGroup();
  const small = await putOnSale([yearly(10_000)], { group });
  const large = await putOnSale([yearly(30_000)], { group });
  const customer = await newCustomer();
  const { id, subscriptionId } = await buy(customer, small);
  const dispute = async (outcome: "disputed" | "dispute won") => {
    const { version } = await read(id);
    const body = { outcome, evidence: "Letter of the bank" };
    const answer = await call(admin, disputeTransaction, { params: { id }, version, body });
    expect(answer.status, answer.text).toBe(200);
  };
  await dispute("disputed");
  const refused = { status: 409, body: { reason: "change_disputed" } };
  expect(await change(subscriptionId, large)).toMatchObject(refused);
  expect(await record(saleTo(customer, large))).toMatchObject(refused);
  await dispute("dispute won");
  expect((await change(subscriptionId, large)).status).toBe(200);
});

/** A customer with 100.00 on the balance. */
const newCustomerWithBalance = async () => {
  const customer = await newCustomer();
  const params = { id: customer.id };
  const body = { currency: "EUR", amount: 10_000, reason: "Goodwill" };
  const added = await call(admin, changeBalance, { params, body });
  expect(added.status, added.text).toBe(200);
  return customer;
};

test("I9 a sale that the balance paid can't be disputed", async () => {
  const customer = await newCustomerWithBalance();
  const pack = await putOnSale([yearly(10_000)]);
  const { id, version } = await buy(customer, pack, { useBalance: true });
  const body = { outcome: "disputed" as const, evidence: "Letter of the bank" };
  expect(await call(admin, disputeTransaction, { params: { id }, version, body })).toMatchObject({
    status: 409,
    body: { reason: "dispute_without_cash" },
  });
});

test("M3 a sale that the balance pays in full is not pending", async () => {
  const customer = await newCustomerWithBalance();
  const sale = await buy(customer, await putOnSale([yearly(10_000)]), {
    state: "pending",
    useBalance: true,
  });
  expect(sale).toMatchObject({ state: "succeeded", balanceAmount: 10_000 });
  expect((await currentOf(customer)).status).toBe("active");
  await expectNothingBroken();
});

test("M3 a draft that the balance pays in full is settled when it is submitted", async () => {
  const customer = await newCustomerWithBalance();
  const { id, version } = await buy(customer, await putOnSale([yearly(10_000)]), {
    state: "draft",
  });
  const submitted = await call(admin, submitTransaction, {
    params: { id },
    version,
    body: { state: "pending" },
  });
  expect(submitted.status, submitted.text).toBe(200);
  expect(await read(id)).toMatchObject({ state: "succeeded", balanceAmount: 10_000 });
  expect((await currentOf(customer)).status).toBe("active");
  await expectNothingBroken();
});
