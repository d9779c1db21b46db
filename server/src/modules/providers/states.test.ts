import { listProviders } from "@purser/contract/transactions/providers";
import { expect, test } from "vitest";
import { paymentIntent, productWithProviders, stripeEvent } from "./testing/testing.ts";

const product = await productWithProviders();
const { call, signIn, owner, postStripe, settleAll } = product;
const admin = await signIn("admin");

const shown = async () => (await call(admin, listProviders)).body.items;

test("configured providers are shown before their first event", async () => {
  const unused = { isConfigured: true, lastEvent: null, waiting: 0, unmatched: 0, lastError: null };
  expect(await shown()).toEqual([
    { name: "bank", ...unused },
    { name: "stripe", ...unused },
  ]);
});

test("shows the last event, and events without a transaction with the reason", async () => {
  await postStripe(stripeEvent("payment_intent.succeeded", paymentIntent("pi_waiting", 1200)));
  await postStripe(stripeEvent("customer.updated", { id: "cus_1", object: "customer" }));
  await settleAll();
  const [, stripe] = await shown();
  expect(stripe).toMatchObject({
    name: "stripe",
    lastEvent: { type: "customer.updated", receivedAt: expect.any(String) },
    waiting: 1,
    unmatched: 0,
    lastError: { words: "No transaction matches this payment." },
  });
  await settleAll(new Date(Date.now() + 4 * 86_400_000));
  expect((await shown())[1]).toMatchObject({ waiting: 0, unmatched: 1 });
});

test("a provider whose secret was removed is shown as long as it has events", async () => {
  await owner.query(
    `insert into provider_events (provider, event_id, type, body, at, outcome)
     values ('earlier', '1', 'payment', '{}', now(), 'applied')`,
  );
  expect((await shown()).map(({ name, isConfigured }) => [name, isConfigured])).toEqual([
    ["bank", true],
    ["earlier", false],
    ["stripe", true],
  ]);
});

test.each(["finance", "viewer"] as const)("refuses the role %s", async (role) => {
  expect((await call(await signIn(role), listProviders)).status).toBe(403);
});
