import { pauseSubscription, resumeSubscription } from "@purser/contract/subscriptions/endpoints";
import { previewRefund } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { moneyIn, per30Days } from "./testing.ts";

const dayMs = 86_400_000;
let now = Date.parse("2027-03-01T12:00:00Z");
const product = await testProduct({ clock: { now: () => now } });
const { call, startSession } = product;
const { admin, putOnSale, newCustomer, buy, subscription } = await moneyIn(product);

const passDays = async (days: number) => {
  now += days * dayMs;
  admin.cookie = await startSession(admin.id);
};

const pauseFor = async (id: string, days: number) => {
  const params = { id };
  for (const [turn, after] of [
    [pauseSubscription, days],
    [resumeSubscription, 0],
  ] as const) {
    const { version } = await subscription(id);
    const body = { reason: "Requested" } as never;
    const turned = await call(admin, turn, { params, version, body });
    expect(turned.status, turned.text).toBe(200);
    await passDays(after);
  }
};

const unusedOf = async (id: string) => {
  const body = { of: "unused", to: "balance", access: "keep" } as const;
  const shown = await call(admin, previewRefund, { params: { id }, body });
  expect(shown.status, shown.text).toBe(200);
  return shown.body.total;
};

const occurredNow = () => ({ occurredAt: new Date(now).toISOString() });

test("M1 a pause in the free days before a paid period doesn't use up paid time", async () => {
  const pack = await putOnSale([per30Days(3000)], { trialDays: 14 });
  const sale = await buy(await newCustomer(), pack, occurredNow());
  await passDays(4);
  await pauseFor(sale.subscriptionId ?? "", 5);
  // 10 free days are left, then 20 of the 30 paid days pass.
  await passDays(30);
  expect(await unusedOf(sale.id)).toBe(1000);
});

test("M1 a pause before a period that was bought in advance doesn't use up its time", async () => {
  const pack = await putOnSale([per30Days(3000)]);
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, pack, occurredNow());
  const next = await buy(customer, pack, occurredNow());
  await passDays(4);
  await pauseFor(subscriptionId ?? "", 5);
  await passDays(26 + 20);
  expect(await unusedOf(next.id)).toBe(1000);
});

test("I12 each period that is bought during and after a pause follows the one before", async () => {
  const pack = await putOnSale([per30Days(3000)]);
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, pack, occurredNow());
  const id = subscriptionId ?? "";
  await passDays(4);
  const { version } = await subscription(id);
  const body = { reason: "Requested" } as never;
  const paused = await call(admin, pauseSubscription, { params: { id }, version, body });
  expect(paused.status, paused.text).toBe(200);
  await passDays(5);
  await buy(customer, pack, occurredNow());
  const { periodEnd } = await subscription(id);
  await buy(customer, pack, occurredNow());
  expect(Date.parse((await subscription(id)).periodEnd)).toBe(Date.parse(periodEnd) + 30 * dayMs);
});
