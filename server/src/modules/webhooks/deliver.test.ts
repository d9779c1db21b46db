import { rotateWebhookSecret, testWebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { shopIn } from "../transactions/testing/testing.ts";
import { productWithReceiver, waiting } from "./testing/deliveries.testing.ts";

test("I7 sends signed events about a sale, without personal data", async () => {
  const { receiver, product, deliver, newEndpoint } = await productWithReceiver();
  const { secret } = await newEndpoint(receiver.url);
  deliver();
  const shop = await shopIn(product);
  const { id: packageId } = await shop.sellPackage();
  const sale = shop.saleOf(packageId);
  const sold = await shop.record(sale);
  expect(sold.status).toBe(201);
  await vi.waitFor(() => expect(receiver.arrived.length).toBeGreaterThanOrEqual(3), waiting);
  const events = receiver.arrived.map(
    ({ body, headers }) => new Webhook(secret).verify(body, headers) as Record<string, unknown>,
  );
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set(["entitlements.changed", "subscription.changed", "transaction.changed"]),
  );
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "transaction.changed",
      data: expect.objectContaining({
        user: { id: sold.body.user.id, externalId: null },
        transaction: expect.objectContaining({ number: sold.body.number, state: "succeeded" }),
      }),
    }),
  );
  expect(receiver.arrived.map(({ body }) => body).join()).not.toContain(sale.email);
  const wrong = new Webhook(`whsec_${Buffer.alloc(32).toString("base64")}`);
  const [first] = receiver.arrived;
  expect(() => wrong.verify(first?.body ?? "", first?.headers ?? {})).toThrow();
});

test("I7 sends no event for a rolled back change, and writes none without an endpoint", async () => {
  const { receiver, product, deliver, newEndpoint, newCustomer, grantTo } =
    await productWithReceiver();
  const customer = await newCustomer();
  await grantTo(customer);
  const eventsNow = async () =>
    (await product.owner.query("select type, user_id, seq from webhook_events order by number"))
      .rows;
  expect(await eventsNow()).toEqual([]);
  await newEndpoint(receiver.url, ["entitlements.changed"]);
  const client = await product.owner.connect();
  await client.query("begin");
  await grantTo(customer, client);
  await client.query("rollback");
  client.release();
  expect(await eventsNow()).toEqual([]);
  await grantTo(customer);
  expect(await eventsNow()).toHaveLength(1);
  deliver();
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(1), waiting);
  expect(await eventsNow()).toMatchObject([{ user_id: customer, seq: "1" }]);
});

test("signs with both secrets while one replaces the other, then with the new one", async () => {
  const { receiver, product, deliver, admin, newEndpoint } = await productWithReceiver();
  const { id, secret: old, version } = await newEndpoint(receiver.url);
  const { call } = product;
  const body = { keepHours: 24 };
  const rolled = await call(admin, rotateWebhookSecret, { params: { id }, version, body });
  expect(rolled.body.previousUntil).not.toBeNull();
  await call(admin, testWebhookEndpoint, { params: { id }, body: {} });
  deliver();
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(1), waiting);
  const [{ body: sent, headers } = { body: "", headers: {} }] = receiver.arrived;
  for (const secret of [old, rolled.body.secret])
    expect(new Webhook(secret).verify(sent, headers)).toMatchObject({ type: "test" });

  const now = { params: { id }, version: rolled.body.version, body: { keepHours: 0 } };
  const last = await call(admin, rotateWebhookSecret, now);
  await call(admin, testWebhookEndpoint, { params: { id }, body: {} });
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(2), waiting);
  const [, second = { body: "", headers: {} }] = receiver.arrived;
  expect(new Webhook(last.body.secret).verify(second.body, second.headers)).toBeTruthy();
  expect(() => new Webhook(rolled.body.secret).verify(second.body, second.headers)).toThrow();
});

test("delivers an event within two seconds of its commit", async () => {
  const { receiver, product, newEndpoint, newCustomer, grantTo } = await productWithReceiver();
  await newEndpoint(receiver.url);
  await product.product.work();
  const customer = await newCustomer();
  const took: number[] = [];
  for (let nth = 1; nth <= 8; nth += 1) {
    await grantTo(customer);
    const committed = Date.now();
    await vi.waitFor(() => expect(receiver.arrived).toHaveLength(nth), waiting);
    took.push((receiver.arrived.at(-1)?.at ?? 0) - committed);
  }
  expect(Math.max(...took)).toBeLessThan(2000);
});
