import { getAppIntegration } from "@purser/contract/integration/endpoints";
import { testWebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { expect, test, vi } from "vitest";
import { grantsIn } from "../entitlements/testing/testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { productWithReceiver, waiting } from "./testing/deliveries.testing.ts";

test("the setup of an app is done once a receiver confirms an event about it, not about another app or a test", async () => {
  const { receiver, product, deliver, admin, newEndpoint } = await productWithReceiver();
  const catalog = catalogIn(product, admin);
  const grants = grantsIn(product, admin);
  const [sold, single, other] = [
    await catalog.newApp(),
    await catalog.newApp(),
    await catalog.newApp(),
  ];
  const seats = await catalog.newLimit(sold.id, "Seats");
  const maps = await catalog.newLimit(single.id, "Maps");
  await catalog.newLimit(other.id, "Reports");
  const pro = await catalog.newPackage({ name: "Pro" });
  await catalog.give(pro.id, seats, 5);
  await catalog.publish(pro.id);
  const atlas = await catalog.newPackage({ name: "Atlas" });
  await catalog.give(atlas.id, maps, 5);
  await catalog.publish(atlas.id);
  const confirmedAt = async ({ id }: { id: string }) => {
    const { body } = await product.call(admin, getAppIntegration, { params: { id }, query: {} });
    return body.setup.webhookConfirmedAt;
  };
  const endpoint = await newEndpoint(receiver.url, ["entitlements.changed"]);
  deliver([20, 20, 20]);
  await product.call(admin, testWebhookEndpoint, { params: { id: endpoint.id }, body: {} });
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(1), waiting);

  receiver.onArrival(() => 500);
  const customer = await grants.newCustomer();
  await grants.grantTo(customer.email, { packageId: pro.id });
  await vi.waitFor(() => expect(receiver.arrived.length).toBeGreaterThan(2), waiting);
  expect(await confirmedAt(sold)).toBeNull();
  receiver.onArrival(() => 204);
  await grants.grantTo(customer.email, { packageId: pro.id });
  const second = await grants.newCustomer();
  await grants.grantTo(second.email, { packageId: pro.id });
  await vi.waitFor(async () => expect(await confirmedAt(sold)).not.toBeNull(), waiting);
  expect(await confirmedAt(single)).toBeNull();

  const first = await confirmedAt(sold);
  const granted = await grants.grantTo(second.email, { featureId: maps.id, value: 7 });
  expect(granted.status, granted.text).toBe(201);
  await vi.waitFor(async () => expect(await confirmedAt(single)).not.toBeNull(), waiting);
  expect(await confirmedAt(sold)).toBe(first);
  expect(await confirmedAt(other)).toBeNull();
});
