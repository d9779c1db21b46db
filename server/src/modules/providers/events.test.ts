import { randomUUID } from "node:crypto";
import { listAttention } from "@purser/contract/reports/attention";
import { retryProviderEvent } from "@purser/contract/transactions/providerEvents";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { renew } from "../subscriptions/renewals.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import {
  paymentIntent,
  productWithProviders,
  stripeEvent,
  stripeSecrets,
} from "./testing/testing.ts";

const product = await productWithProviders();
const { owner, call, platform, post, postStripe, postBank, settleAll, zone } = product;
const { admin, sellPackage, promote, saleOf, sell, read } = await shopIn(product);

const reference = () => `pi_${randomUUID()}`;

/** A sale that waits for Stripe's notification. */
const pendingSale = async (payment = reference()) => {
  const pack = await sellPackage();
  const more = { state: "pending", provider: "stripe", reference: payment };
  return { payment, pack, sale: await sell(saleOf(pack.id), more) };
};

const storedOf = async (payment: string) =>
  (
    await owner.query<{ id: string; outcome: string; words: string; tries: number }>(
      "select id, outcome, words, tries from provider_events where payment = $1 order by at, event_id",
      [payment],
    )
  ).rows;

test("I6 T8 an event sent ten times, and again after it was settled, settles its sale once", async () => {
  const { payment, sale } = await pendingSale();
  const event = stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1200));
  const answers = await Promise.all(Array.from({ length: 10 }, () => postStripe(event)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(202));
  expect(answers.filter((answer) => answer.json().isNew)).toHaveLength(1);
  await settleAll();
  await postStripe(event);
  await settleAll();
  const { state, events, grants } = await read(sale.id);
  expect(state).toBe("succeeded");
  expect(events.filter(({ source }) => source === "provider")).toHaveLength(1);
  expect(grants).toHaveLength(1);
});

test("T8 refuses and doesn't store an event that is forged, altered, too old or too new", async () => {
  const payment = reference();
  const event = stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1200));
  const payload = JSON.stringify(event);
  const now = Math.floor(Date.now() / 1000);
  const refused = [
    await postStripe(event, { secret: "whsec_another" }),
    await postStripe(event, { timestamp: now - 301 }),
    // Far enough ahead for a slow machine, whose clock runs on until the event arrives.
    await postStripe(event, { timestamp: now + 600 }),
    await post("stripe", payload, {}),
    await post("stripe", payload, { "stripe-signature": `t=${now},v1=${"0".repeat(64)}` }),
    await post("nobody", payload, {}),
    await post("bank", payload, { "webhook-id": "1", "webhook-timestamp": String(now) }),
    await postBank({ type: "payment" }, { at: new Date(Date.now() - 301_000) }),
    await postBank({ type: "payment" }, { at: new Date(Date.now() + 301_000) }),
  ];
  expect(refused.map(({ statusCode }) => statusCode)).toEqual(Array(9).fill(401));
  expect(refused[0]?.json().type).toBe("urn:purser:problem:signature_wrong");
  expect(await storedOf(payment)).toEqual([]);
});

test("T8 refuses an event if any byte was changed after signing", async () => {
  const { Stripe } = await import("stripe");
  const payload = JSON.stringify(
    stripeEvent("payment_intent.succeeded", paymentIntent(reference(), 1200)),
  );
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripeSecrets[0] });
  for (const place of [1, 20, payload.length - 30]) {
    const letter = payload[place] === "x" ? "y" : "x";
    const altered = payload.slice(0, place) + letter + payload.slice(place + 1);
    const { statusCode } = await post("stripe", altered, { "stripe-signature": signature });
    expect([400, 401]).toContain(statusCode);
  }
});

test("accepts both secrets while one replaces the other", async () => {
  for (const secret of stripeSecrets) {
    const { payment } = await pendingSale();
    const event = stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1200));
    expect((await postStripe(event, { secret })).statusCode).toBe(202);
  }
});

test("stores and ignores an event that isn't about a payment", async () => {
  const event = stripeEvent("customer.created", { id: "cus_1" });
  expect((await postStripe(event)).statusCode).toBe(202);
  const { rows } = await owner.query(
    "select outcome, body from provider_events where event_id = $1",
    [event.id],
  );
  expect(rows).toEqual([{ outcome: "ignored", body: JSON.stringify(event) }]);
});

test("leaves a payment with a different amount to a team member", async () => {
  const { payment, sale } = await pendingSale();
  await postStripe(stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1199)));
  await settleAll();
  const { state, events } = await read(sale.id);
  expect(state).toBe("unknown");
  expect(events.find(({ source }) => source === "provider")?.evidence).toContain(
    "11.99 EUR was paid, but 12.00 EUR was due.",
  );
  expect(await storedOf(payment)).toMatchObject([{ outcome: "unmatched" }]);
});

test("records a sale with its code from the metadata of a payment", async () => {
  const pack = await sellPackage();
  await promote({ code: "STRIPETEN", packageIds: [pack.id] });
  const payment = reference();
  const email = `${randomUUID()}@example.com`;
  const metadata = {
    purser_email: email,
    purser_package: pack.code,
    purser_interval: "month",
    purser_codes: "stripeten",
  };
  await postStripe(
    stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1080, { metadata })),
  );
  await settleAll();
  const { rows } = await owner.query(
    `select t.state, t.total::int, t.discount::int, u.email, (select count(*)::int from grants g where g.user_id = u.id) as grants
     from transactions t join users u on u.id = t.user_id where t.reference = $1`,
    [payment],
  );
  expect(rows).toEqual([{ state: "succeeded", total: 1080, discount: 120, email, grants: 1 }]);
});

test("a refund received before its payment waits for it, and is recorded once", async () => {
  const { payment, sale } = await pendingSale();
  const refund = { id: `re_${randomUUID()}`, amount: 500, currency: "eur", status: "succeeded" };
  await postStripe(stripeEvent("refund.created", { ...refund, payment_intent: payment }));
  await settleAll();
  expect(await storedOf(payment)).toMatchObject([{ outcome: "waiting", tries: 1 }]);
  await postStripe(stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1200)));
  await settleAll();
  await postStripe(stripeEvent("refund.updated", { ...refund, payment_intent: payment }));
  await settleAll();
  expect(await read(sale.id)).toMatchObject({ state: "partially refunded", refunded: 500 });
});

test("retries an event without a transaction with growing delays, then leaves it to the team", async () => {
  const payment = reference();
  await postStripe(stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1200)));
  let now = new Date();
  for (let tries = 0; tries < 10; tries += 1) {
    await settleAll(now);
    now = new Date(+now + 86_400_000);
  }
  const [event] = await storedOf(payment);
  expect(event).toMatchObject({ outcome: "unmatched", tries: 4 });
  const { sale } = await pendingSale(payment);
  const id = event?.id ?? "";
  expect((await call(admin, retryProviderEvent, { params: { id }, body: {} })).status).toBe(200);
  await owner.query("update provider_events set outcome = 'waiting' where id = $1", [id]);
  await settleAll();
  expect(await read(sale.id)).toMatchObject({ state: "succeeded" });
});

test("an invoice pays the open renewal of its subscription", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id));
  const now = new Date(sale.periodEnd as string);
  const { subscriptionId } = sale;
  await platform.db.transaction().execute((db) => renew(db, subscriptionId ?? "", { now, zone }));
  const metadata = { purser_subscription: subscriptionId };
  const invoice = { id: `in_${randomUUID()}`, currency: "eur", amount_paid: 1200, metadata: null };
  const parent = { subscription_details: { metadata } };
  await postStripe(stripeEvent("invoice.paid", { ...invoice, parent }));
  await settleAll();
  const { rows } = await owner.query(
    "select state from transactions where subscription_id = $1 and kind = 'renewal'",
    [subscriptionId],
  );
  expect(rows).toEqual([{ state: "succeeded" }]);
});

test("a bank that signs plain JSON settles a sale by its number", async () => {
  const { sale } = await pendingSale();
  const event = { type: "payment", payment: "line-7", transaction: sale.number, at: new Date() };
  const money = { amount: 1200, currency: "EUR" };
  expect((await postBank({ ...event, outcome: "succeeded", ...money })).statusCode).toBe(202);
  await settleAll();
  expect(await read(sale.id)).toMatchObject({ state: "succeeded" });
  expect((await postBank({ ...event, outcome: "perhaps", ...money })).statusCode).toBe(400);
});

test("accepts the spelling of an outcome from before 0.5.0", async () => {
  const { sale } = await pendingSale();
  const event = { type: "payment", payment: "line-8", transaction: sale.number, at: new Date() };
  const old = { ...event, outcome: "authorised", amount: 1200, currency: "EUR" };
  expect((await postBank(old)).statusCode).toBe(202);
  await settleAll();
  const { events } = await read(sale.id);
  expect(events.map(({ type }) => type)).toContain("authorized");
});

test("the earliest due date of open disputes is on Home, until it has passed or the dispute ends", async () => {
  const due = Math.floor(Date.now() / 1000) + 86_400;
  const rowOf = async () =>
    (await call(admin, listAttention)).body.items.find(({ kind }) => kind === "disputes");
  const dispute = async (dueBy: number | null) => {
    const { payment } = await pendingSale();
    await postStripe(stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1200)));
    const details = { payment_intent: payment, evidence_details: { due_by: dueBy } };
    await postStripe(
      stripeEvent("charge.dispute.created", { ...details, status: "needs_response" }),
    );
    await settleAll();
    return payment;
  };
  await dispute(null);
  expect(await rowOf()).toMatchObject({ dueAt: null });
  await dispute(due - 2 * 86_400);
  expect(await rowOf()).toMatchObject({ dueAt: null });
  await dispute(due + 3600);
  const first = await dispute(due);
  expect(await rowOf()).toMatchObject({ count: 4, dueAt: new Date(due * 1000).toISOString() });
  const won = { payment_intent: first, status: "won", evidence_details: { due_by: due } };
  await postStripe(stripeEvent("charge.dispute.closed", won));
  await settleAll();
  const later = new Date((due + 3600) * 1000).toISOString();
  expect(await rowOf()).toMatchObject({ count: 3, dueAt: later });
});

test(
  "T9 I6 the order and number of a payment's events don't change its result",
  async () => {
    const start = Math.floor(Date.now() / 1000) - 100;
    const eventsOf = (payment: string) => {
      const refund = { currency: "eur", status: "succeeded", payment_intent: payment };
      return [
        stripeEvent("payment_intent.processing", paymentIntent(payment, 1200), start),
        stripeEvent("payment_intent.payment_failed", paymentIntent(payment, 1200), start + 1),
        stripeEvent("payment_intent.succeeded", paymentIntent(payment, 1200), start + 2),
        stripeEvent("refund.created", { id: `re_a_${payment}`, amount: 300, ...refund }, start + 3),
        stripeEvent(
          "charge.dispute.created",
          { payment_intent: payment, status: "needs_response" },
          start + 4,
        ),
        stripeEvent("charge.dispute.closed", { payment_intent: payment, status: "won" }, start + 5),
        stripeEvent("refund.updated", { id: `re_b_${payment}`, amount: 200, ...refund }, start + 6),
      ];
    };
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 }),
        fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
        fc.boolean(),
        async (order, repeats, settlesBetween) => {
          const { payment, sale } = await pendingSale();
          const events = eventsOf(payment);
          for (const place of [...order, ...repeats]) {
            await postStripe(events[place] ?? {});
            if (settlesBetween) await settleAll();
          }
          await settleAll();
          const { state, refunded, grants } = await read(sale.id);
          expect({ state, refunded, grants: grants.length }).toEqual({
            state: "partially refunded",
            refunded: 500,
            grants: 1,
          });
        },
      ),
      { numRuns: 25 },
    );
  },
  patiently(120_000),
);
