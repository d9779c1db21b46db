import { changeBalance } from "@purser/contract/money/balance";
import { previewChange } from "@purser/contract/subscriptions/endpoints";
import { previewRefund } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { ledgerRules, verifyRule } from "#modules/ledger/verifyQueries.ts";
import {
  type Sent,
  sendAtOnce,
  startProcesses,
} from "#modules/transactions/testing/processes.testing.ts";
import { atEnd, testProduct } from "#testing.ts";
import { daysAgo, moneyIn, monthly, per30Days } from "./testing.ts";

const product = await testProduct();
const { call, platform, config } = product;
const money = await moneyIn(product);
const { admin, newGroup, putOnSale, newCustomer, buy, read, salesOf, balanceOf } = money;

const { origins, stop } = await startProcesses(config, { servers: 3, workers: 3 });
atEnd(stop);

const race = (...all: Sent[]) =>
  sendAtOnce({ origins, publicUrl: config.PUBLIC_URL, cookie: admin.cookie }, all);

const expectLedger = async () => {
  for (const rule of Object.keys(ledgerRules))
    expect(await verifyRule(platform.db, rule), rule).toMatchObject({ count: 0 });
};

/** A paid subscription, of which two thirds are left, and a larger package of its group. */
const subscribed = async () => {
  const group = newGroup();
  const small = await putOnSale([per30Days(3000)], { group });
  const large = await putOnSale([per30Days(9000)], { group });
  const customer = await newCustomer();
  const purchase = await buy(customer, small, { occurredAt: daysAgo(10) });
  return { customer, purchase, large, id: purchase.subscriptionId ?? "" };
};

/** The same change, as several team members would send it after they saw its preview. */
const plannedChange = async (
  id: string,
  { id: packageId, price }: { id: string; price: object },
) => {
  const { interval, intervalCount } = price as { interval: "day"; intervalCount: number };
  const wanted = { packageId, interval, intervalCount, when: "now" as const };
  const shown = await call(admin, previewChange, { params: { id }, body: wanted });
  expect(shown.status, shown.text).toBe(200);
  const { at, payment } = shown.body;
  const { version } = await money.subscription(id);
  const chosen = { at, due: payment.due, rest: "balance" as const, reason: "Requested" };
  const body = { ...wanted, ...chosen };
  return { path: `/subscriptions/${id}/change`, version, body };
};

const plannedRefund = async (id: string) => {
  const choice = { of: "full", to: "payment method", access: "end now" } as const;
  const shown = await call(admin, previewRefund, { params: { id }, body: choice });
  expect(shown.status, shown.text).toBe(200);
  const { at, total } = shown.body;
  const body = { ...choice, at, total, reason: "Requested" };
  return { path: `/transactions/${id}/refund`, body };
};

test("M1 of 50 changes of one subscription at once, one is made", async () => {
  const { customer, large, id } = await subscribed();
  const change = await plannedChange(id, large);
  const answers = await race(...Array.from({ length: 50 }, () => change));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => ![200, 409, 412].includes(status))).toEqual([]);
  expect(await salesOf(customer, "change")).toHaveLength(1);
  await expectLedger();
});

test("M2 a change and a refund at once take back no more than was paid", async () => {
  for (let round = 0; round < 5; round++) {
    const { purchase, large, id } = await subscribed();
    const change = await plannedChange(id, large);
    const refund = await plannedRefund(purchase.id);
    const answers = await race(change, refund);
    expect(answers.some(({ status }) => status < 300)).toBe(true);
    const { lines, refunded, total } = await read(purchase.id);
    expect(lines[0]?.credited).toBeLessThanOrEqual(total);
    expect(refunded).toBeLessThanOrEqual(total);
  }
  await expectLedger();
});

test("M2 a refund and a lost dispute at once take back the payment once", async () => {
  for (let round = 0; round < 5; round++) {
    const { purchase } = await subscribed();
    const { id } = purchase;
    const refund = await plannedRefund(id);
    const { version } = await read(id);
    const dispute = (outcome: "disputed" | "dispute lost", at: number) => ({
      path: `/transactions/${id}/dispute`,
      version: at,
      body: { outcome, evidence: "Letter of the bank" },
    });
    await race(dispute("disputed", version));
    const disputed = await read(id);
    await race(refund, dispute("dispute lost", disputed.version));
    const after = await read(id);
    expect(after.refunds.reduce((sum, { total }) => sum + total, 0)).toBeLessThanOrEqual(
      purchase.total,
    );
  }
  await expectLedger();
});

test("M8 two workers request one renewal", async () => {
  const { customer, id } = await subscribed();
  await Promise.allSettled(Array.from({ length: 4 }, () => money.requestRenewal(id)));
  expect(await salesOf(customer, "renewal")).toHaveLength(1);
});

test("I1 charges at once never spend the balance twice", async () => {
  const customer = await newCustomer();
  const body = { currency: "EUR", amount: 1000, reason: "Goodwill" };
  const added = await call(admin, changeBalance, { params: { id: customer.id }, body });
  expect(added.status, added.text).toBe(200);
  const orders: Sent[] = [];
  for (let count = 0; count < 6; count++) {
    const sale = money.saleTo(customer, await putOnSale([monthly(800)]));
    const { total, payment } = await money.quote(sale);
    const entered = { state: "succeeded", reference: `bank ${count}`, total, due: payment.due };
    orders.push({ path: "/transactions", body: { ...sale, ...entered } });
  }
  const answers = await race(...orders);
  // The others saw a balance that was spent meanwhile.
  expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
  const paid = (await salesOf(customer, "purchase")).reduce(
    (sum, { balanceAmount }) => sum + balanceAmount,
    0,
  );
  expect(paid + (await balanceOf(customer))).toBe(1000);
  await expectLedger();
});
