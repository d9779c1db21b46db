import { randomUUID } from "node:crypto";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { countTransactions } from "@purser/contract/transactions/counts";
import { createWebhookEndpoint, webhookTypes } from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { daysAfter, daysAgo, moneyIn, per30Days } from "./testing.ts";

const product = await testProduct();
const { call, owner } = product;
const money = await moneyIn(product);
const { admin, seats, newGroup, putOnSale, newCustomer, buy, cancel, refund, check } = money;
const { read, subscription, renewAt, salesOf } = money;

const subscribe = async (daysBefore = 0) => {
  const group = newGroup();
  const pack = await putOnSale([per30Days(1200)], { group });
  const customer = await newCustomer();
  const purchase = await buy(customer, pack, { occurredAt: daysAgo(daysBefore) });
  const { periodEnd } = await subscription(purchase.subscriptionId);
  return { customer, purchase, subscriptionId: purchase.subscriptionId, group, periodEnd };
};

test("M7 the check of a canceled subscription says the end of the paid period", async () => {
  const { customer, subscriptionId, periodEnd } = await subscribe();
  await cancel(subscriptionId, "period end");
  expect((await check(customer)).grants).toMatchObject([{ endsAt: periodEnd }]);
  const params = { id: customer.id };
  const { body: now } = await call(admin, getEntitlements, { params });
  const shown = now.items.find(({ feature }) => feature.id === seats.id);
  expect(shown?.until).toEqual({ at: periodEnd, isRenewal: false });
  const at = daysAfter(periodEnd, 1);
  const { body: later } = await call(admin, getEntitlements, { params, query: { at } });
  expect(later.items.find(({ feature }) => feature.id === seats.id)?.value).toBe(1);
});

test("M7 a refund with access until the end of the period ends it then", async () => {
  const { customer, purchase, periodEnd } = await subscribe();
  const refunded = await refund(purchase.id, "end with period");
  expect(refunded.status, refunded.text).toBe(201);
  expect((await check(customer)).grants).toMatchObject([{ endsAt: periodEnd }]);
});

test("M7 the webhook events of a canceled subscription say the end of the paid period", async () => {
  const url = `https://93.184.216.34/hooks-${randomUUID()}`;
  const body = { url, types: [...webhookTypes] };
  expect((await call(admin, createWebhookEndpoint, { body })).status).toBe(201);
  const { customer, subscriptionId, periodEnd } = await subscribe();
  await cancel(subscriptionId, "period end");
  const lastOf = async (type: (typeof webhookTypes)[number]) => {
    const { rows } = await owner.query<{ data: Record<string, Record<string, string>> }>(
      "select data from webhook_events where user_id = $1 and type = $2 order by number desc limit 1",
      [customer.id, type],
    );
    return rows[0]?.data ?? {};
  };
  const changed = (await lastOf("subscription.changed"))["subscription"];
  expect(changed?.["status"]).toBe("ending");
  expect(Date.parse(changed?.["accessUntil"] ?? "")).toBe(Date.parse(periodEnd));
  const granted = (await lastOf("entitlements.changed"))["grant"];
  expect(Date.parse(granted?.["endsAt"] ?? "")).toBe(Date.parse(periodEnd));
});

test("M7 the grace period is added only while a renewal is overdue", async () => {
  const overdue = await subscribe(33);
  await renewAt(overdue.subscriptionId, new Date());
  const grace = daysAfter(overdue.periodEnd, 7);
  expect((await check(overdue.customer)).grants).toMatchObject([{ endsAt: grace }]);
  const current = await subscribe();
  expect((await check(current.customer)).grants).toMatchObject([{ endsAt: current.periodEnd }]);
});

type Overdue = Awaited<ReturnType<typeof subscribe>>;

const ends = {
  "canceled now": ({ subscriptionId }: Overdue) => cancel(subscriptionId, "now"),
  refunded: async ({ purchase }: Overdue) => {
    const refunded = await refund(purchase.id, "end now");
    expect(refunded.status, refunded.text).toBe(201);
  },
  "changed to another package": async ({ customer, group }: Overdue) => {
    await buy(customer, await putOnSale([per30Days(3000)], { group }));
  },
  "not paid within the grace period": ({ subscriptionId, periodEnd }: Overdue) =>
    renewAt(subscriptionId, new Date(daysAfter(periodEnd, 7))),
} as const;

const countPending = async () => (await call(admin, countTransactions)).body.pending;

test.each(Object.keys(ends) as (keyof typeof ends)[])(
  "M8 the open renewal of a subscription is canceled if it is %s",
  async (how) => {
    const before = await countPending();
    const overdue = await subscribe(33);
    await renewAt(overdue.subscriptionId, new Date());
    expect(await countPending()).not.toEqual(before);
    await ends[how](overdue);
    expect((await subscription(overdue.subscriptionId)).status).toBe("ended");
    const [renewal] = await salesOf(overdue.customer, "renewal");
    expect((await read(renewal?.id ?? "")).state).toBe("canceled");
    expect(await countPending()).toEqual(before);
  },
);

test("M7 a subscription whose period ends between two milliseconds can be canceled with it", async () => {
  const { subscriptionId } = await subscribe();
  await owner.query(
    `update subscriptions set period_end = period_end + interval '7 microseconds',
       access_until = access_until + interval '7 microseconds' where id = $1`,
    [subscriptionId],
  );
  await cancel(subscriptionId, "period end");
  expect((await subscription(subscriptionId)).status).toBe("ending");
});
