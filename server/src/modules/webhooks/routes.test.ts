import { randomUUID } from "node:crypto";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  testWebhookEndpoint,
} from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { forgetWebhooks } from "./jobs.ts";
import { hooksIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, newEndpoint, newCustomer, grantTo } = await hooksIn(product);
const types = ["entitlements.changed" as const];
/** An IP address needs no DNS lookup. */
const newUrl = () => `https://93.184.216.34/hooks-${randomUUID()}`;

test.each([
  ["http://93.184.216.34/", "url_insecure"],
  ["https://127.0.0.1/", "url_private"],
  ["https://[::ffff:10.0.0.1]/", "url_private"],
  ["https://me:secret@93.184.216.34/", "url_credentials"],
  ["https://93.184.216.34:6379/", "url_port"],
  ["webhooks", "url_invalid"],
])("T12 refuses %s at its field when it is saved", async (url, code) => {
  const refused = await call(admin, createWebhookEndpoint, { body: { url, types } });
  expect(refused.status).toBe(400);
  expect(refused.body["errors"]).toMatchObject([{ pointer: "/url", code }]);
});

test("creates, changes, disables, enables and deletes an endpoint, and shows its secret once", async () => {
  const { id, secret, version } = await newEndpoint(newUrl());
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { rows } = await owner.query("select secret from webhook_endpoints where id = $1", [id]);
  expect(rows[0].secret.toString()).not.toContain(secret.slice(6));

  const url = newUrl();
  const body = { url, types, description: "The warehouse" };
  const changed = await call(admin, changeWebhookEndpoint, { params: { id }, version, body });
  expect(changed.body).toMatchObject({ ...body, status: "active", version: version + 1 });
  expect(changed.text).not.toContain("whsec_");
  const stale = await call(admin, changeWebhookEndpoint, { params: { id }, version, body });
  expect(stale.status).toBe(412);
  const same = await call(admin, createWebhookEndpoint, { body: { url, types } });
  expect(same.body).toMatchObject({ errors: [{ pointer: "/url", code: "value_taken" }] });

  const at = (next: number) => ({ params: { id }, version: next, body: {} });
  const off = await call(admin, disableWebhookEndpoint, at(version + 1));
  expect(off.body.status).toBe("disabled");
  const refused = await call(admin, testWebhookEndpoint, { params: { id }, body: {} });
  expect(refused.status).toBe(409);
  expect((await call(admin, disableWebhookEndpoint, at(off.body.version))).status).toBe(409);
  const on = await call(admin, enableWebhookEndpoint, at(off.body.version));
  expect(on.body.status).toBe("active");

  const removed = await call(admin, deleteWebhookEndpoint, {
    params: { id },
    version: on.body.version,
  });
  expect(removed.status).toBe(204);
  const { items } = (await call(admin, listWebhookEndpoints)).body;
  expect(items.map((one) => one.id)).not.toContain(id);
  // The URL can be used again.
  await newEndpoint(url);

  const entries = await owner.query(
    "select before, after from audit_entries where record_id = $1",
    [id],
  );
  expect(entries.rows.length).toBeGreaterThanOrEqual(5);
  expect(JSON.stringify(entries.rows)).not.toContain('secret"');
});

test("finds deliveries by endpoint, state, type, customer, email address and event", async () => {
  const { id: endpointId } = await newEndpoint(newUrl());
  const test = (await call(admin, testWebhookEndpoint, { params: { id: endpointId }, body: {} }))
    .body;
  const customer = await newCustomer();
  await grantTo(customer);
  const { queueEvents } = await import("./queueQueries.ts");
  await queueEvents(product.platform.db, new Date());
  const find = async (query: { f?: string[]; q?: string }) =>
    (await call(admin, listWebhookDeliveries, { query })).body.items.filter(
      ({ endpoint }) => endpoint.id === endpointId,
    );
  expect(await find({ f: [`endpoint:any:${endpointId}`] })).toHaveLength(2);
  expect(await find({ f: ["state:any:failed"] })).toEqual([]);
  expect(await find({ f: ["type:any:test"] })).toMatchObject([{ id: test.deliveryId, user: null }]);
  const [delivery] = await find({ f: [`user:any:${customer}`] });
  expect(delivery).toMatchObject({
    type: "entitlements.changed",
    sequence: 1,
    user: { id: customer },
  });
  expect(await find({ q: delivery?.user?.email ?? "" })).toHaveLength(1);
  expect(await find({ q: test.eventId })).toHaveLength(1);
  const details = await call(admin, getWebhookDelivery, { params: { id: delivery?.id ?? "" } });
  expect(JSON.parse(details.body.payload).data.user.id).toBe(customer);
});

test("removes deliveries when their month is older than a month, and everything of a deleted endpoint", async () => {
  const { id, version } = await newEndpoint(newUrl());
  await call(admin, testWebhookEndpoint, { params: { id }, body: {} });
  await call(admin, deleteWebhookEndpoint, { params: { id }, version });
  await owner.query(
    "update webhook_deliveries set state = 'failed' where type = 'entitlements.changed'",
  );
  // The first partition ends with the next month, or with the one after it.
  const later = new Date(Date.now() + 100 * 86_400_000);
  const { db } = product.platform;
  const step = <T>(work: (given: typeof db, enqueue: never) => Promise<T>) =>
    db.transaction().execute((transaction) => work(transaction, undefined as never));
  const tools = { db, now: later, step, enqueue: undefined as never };
  await forgetWebhooks(product.config).run(tools as never, {});
  const countRows = async (statement: string, values: unknown[] = []) =>
    (await owner.query(statement, values)).rowCount;
  expect(await countRows("select from webhook_endpoints where id = $1", [id])).toBe(0);
  expect(
    await countRows("select from webhook_deliveries where type = 'entitlements.changed'"),
  ).toBe(0);
  expect(await countRows("select from webhook_events where type = 'entitlements.changed'")).toBe(0);
});
