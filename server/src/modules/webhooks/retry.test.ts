import {
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  resendFailed,
  resendWebhookDelivery,
} from "@purser/contract/workspace/webhooks";
import { expect, test, vi } from "vitest";
import { idsOf, productWithReceiver, waiting } from "./testing/deliveries.testing.ts";

test("retries a failed delivery in order, gives it up, and can send it again with the same ID", async () => {
  const { receiver, product, deliver, admin, newEndpoint, newCustomer, grantTo } =
    await productWithReceiver();
  const { call } = product;
  const { id } = await newEndpoint(receiver.url);
  const customer = await newCustomer();
  const grants = [await grantTo(customer), await grantTo(customer)];
  const isFirst = (body: string) => body.includes(grants[0] ?? "");
  receiver.onArrival(({ body }) => (isFirst(body) ? 302 : 200));
  deliver([20, 20]);
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(4), waiting);
  const ids = idsOf(receiver.arrived);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(ids[3]).not.toBe(ids[0]);

  const stateNow = async (state: string) =>
    (await call(admin, listWebhookDeliveries, { query: { f: [`state:any:${state}`] } })).body.items;
  await vi.waitFor(async () => expect(await stateNow("delivered")).toHaveLength(1), waiting);
  const [lost] = await stateNow("failed");
  expect(lost).toMatchObject({
    attempts: 3,
    lastStatus: 302,
    lastError: "The endpoint returned 302. Redirects aren't followed.",
  });
  const params = { id: lost?.id ?? "" };
  const details = (await call(admin, getWebhookDelivery, { params })).body;
  expect(details.latestAttempts).toHaveLength(3);
  expect(details.answer).toBe("An answer.");
  expect(JSON.parse(details.payload)).toMatchObject({ data: { sequence: 1 } });
  const [shown] = (await call(admin, listWebhookEndpoints)).body.items;
  expect(shown).toMatchObject({ lately: { attempted: 2, delivered: 1 }, failed: { count: 1 } });

  receiver.onArrival(() => 200);
  const again = await call(admin, resendWebhookDelivery, { params, body: {} });
  expect(again.body.state).toBe("waiting");
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(5), waiting);
  expect(idsOf(receiver.arrived)[4]).toBe(ids[0]);
  await vi.waitFor(async () => expect(await stateNow("delivered")).toHaveLength(2), waiting);

  await product.owner.query(
    "update webhook_deliveries set state = 'failed', delivered_at = null where id = $1",
    [params.id],
  );
  const since = new Date(Date.now() - 60_000).toISOString();
  const all = await call(admin, resendFailed, { params: { id }, body: { since } });
  expect(all.body).toEqual({ sent: 1 });
  await vi.waitFor(() => expect(idsOf(receiver.arrived)[5]).toBe(ids[0]), waiting);
});

test("disables an endpoint that has failed for days, with the reason", async () => {
  const { receiver, product, deliver, admin, newEndpoint, newCustomer, grantTo } =
    await productWithReceiver();
  const { id } = await newEndpoint(receiver.url);
  receiver.onArrival(() => 500);
  await grantTo(await newCustomer());
  await product.owner.query(
    "update webhook_endpoints set failing_since = now() - interval '70 hours' where id = $1",
    [id],
  );
  deliver([]);
  await vi.waitFor(async () => {
    const [shown] = (await product.call(admin, listWebhookEndpoints)).body.items;
    expect(shown).toMatchObject({
      status: "disabled",
      disabledBecause: "All deliveries failed for 70 hours.",
      lastFailure: { error: "The endpoint returned 500." },
    });
  }, waiting);
  const { rows } = await product.owner.query(
    "select actor_name, after ? 'secret' as leaks from audit_entries where record_id = $1 order by id desc",
    [id],
  );
  expect(rows[0]).toEqual({ actor_name: "deliver-webhooks", leaks: false });
});

test("shows since when the oldest delivery of each endpoint waits, also between attempts", async () => {
  const { receiver, product, deliver, admin, newEndpoint, newCustomer, grantTo } =
    await productWithReceiver();
  const { call } = product;
  const broken = await newEndpoint(receiver.url);
  const healthy = await newEndpoint(`${receiver.url}/healthy`);
  receiver.onArrival(({ path }) => (path.endsWith("/healthy") ? 204 : 500));
  const customer = await newCustomer();
  for (let nth = 0; nth < 2; nth += 1) await grantTo(customer);
  deliver([3_600_000]);
  const shown = async ({ id }: { id: string }) =>
    (await call(admin, listWebhookEndpoints)).body.items.find((one) => one.id === id);
  await vi.waitFor(async () => {
    expect(await shown(broken)).toMatchObject({ failingSince: expect.any(String) });
    expect(await shown(healthy)).toMatchObject({ lately: { delivered: 2 } });
  }, waiting);

  const query = { f: [`endpoint:any:${broken.id}`] };
  const waitingNow = (await call(admin, listWebhookDeliveries, { query })).body.items;
  expect(waitingNow).toHaveLength(2);
  const [oldestWaitingAt] = waitingNow.map(({ createdAt }) => createdAt).sort();
  expect(await shown(broken)).toMatchObject({ oldestWaitingAt, waiting: { count: 2 } });
  expect(await shown(healthy)).toMatchObject({ oldestWaitingAt: null, waiting: { count: 0 } });
});
