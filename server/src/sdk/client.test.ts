import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { revokeAppKey } from "@purser/contract/apps/keys";
import { createCustomerToken } from "@purser/contract/entitlements/customerTokens";
import { revokeAccess } from "@purser/contract/entitlements/grants";
import { expect, test, vi } from "vitest";
import { createClient } from "../../../client/src/client.ts";
import { fileStorage } from "../../../client/src/node.ts";
import { patiently } from "../patience.testing.ts";
import { atEnd } from "../testing.ts";
import { soldApp } from "./app.testing.ts";

const { product, admin, app, newKey, newSubscriber, proxy } = await soldApp();
const { key } = await newKey();
const folder = mkdtempSync(join(tmpdir(), "purser-sdk-"));
atEnd(async () => rmSync(folder, { recursive: true }));

type Options = Parameters<typeof createClient>[0];

const open = (more: Partial<Options> = {}) => {
  proxy.set("up");
  const timeoutMs = patiently(5000);
  const client = createClient({ url: proxy.url, key, timeoutMs, failuresMax: 1e6, ...more });
  atEnd(async () => {
    await client.close();
  });
  return client;
};

/** What Purser has counted. */
const usedBy = async (user: string) => (await open().check(user, "exports")).used;

test("a client checks, counts and reserves", async () => {
  const ada = await newSubscriber();
  const client = open();
  expect(await client.isAllowed(ada.email, "offline-maps")).toBe(true);
  expect(await client.isAllowed("nobody@example.com", "offline-maps")).toBe(false);
  expect((await client.checkAll(ada.id)).map(({ feature }) => feature.code).toSorted()).toEqual([
    "exports",
    "offline-maps",
  ]);
  expect(await client.consume(ada.email, "exports", { amount: 3 })).toMatchObject({
    result: "recorded",
    used: 3,
  });
  const { reservation } = await client.reserve(ada.email, "exports", { amount: 5, seconds: 60 });
  expect(await client.confirm(reservation?.id ?? "", 4)).toMatchObject({ confirmed: 4 });
  await expect(client.release(reservation?.id ?? "")).rejects.toMatchObject({
    code: "wrong_state",
  });
  client.record(ada.email, "exports", { amount: 2 });
  await client.flush();
  expect(await usedBy(ada.email)).toBe(9);
  await expect(client.check(ada.email, "nothing")).rejects.toMatchObject({ code: "not_found" });
});

test("in an outage the app keeps its last known answers, and uses fallbacks for other customers", async () => {
  const [ada, bob] = [await newSubscriber(), await newSubscriber()];
  let elapsedMs = 0;
  const environment = { elapsed: () => elapsedMs };
  const client = open({ environment, fallbacks: { exports: "allow" } });
  await client.checkAll(ada.email);
  elapsedMs += 20_000;
  proxy.set("down");
  expect(await client.check(ada.email, "offline-maps")).toMatchObject({
    allowed: true,
    source: "last known",
  });
  expect(await client.check(bob.email, "exports")).toMatchObject({
    allowed: true,
    source: "fallback",
  });
  expect(await client.check("new@example.com", "offline-maps")).toMatchObject({ allowed: false });
  proxy.set("up");
  expect(await client.check(bob.email, "exports")).toMatchObject({ source: "server" });
});

test("slow answers don't hold up the app, and an outage pauses requests", async () => {
  const ada = await newSubscriber();
  const client = open({ timeoutMs: 50, failuresMax: 2, retries: 0 });
  proxy.set("slow");
  const before = proxy.requests();
  for (let n = 0; n < 5; n += 1)
    expect(await client.check(ada.email, "exports")).toMatchObject({ source: "fallback" });
  expect(proxy.requests() - before).toBe(2);
});

test("10,000 events recorded in an outage survive a restart, and each is counted once although replies are lost", async () => {
  const customers = await Promise.all(Array.from({ length: 10 }, () => newSubscriber()));
  const file = join(folder, "usage.log");
  const before = open({ storage: fileStorage(file) });
  proxy.set("down");
  for (let n = 0; n < 1000; n += 1)
    for (const { email } of customers) before.record(email, "exports");
  expect(await before.close()).toBe(10_000);

  const refused = vi.fn();
  const timeoutMs = patiently(20_000);
  const after = open({ storage: fileStorage(file), onRefused: refused, retries: 5, timeoutMs });
  proxy.set("lossy");
  await after.flush();
  proxy.set("up");
  expect(refused).not.toHaveBeenCalled();
  expect(after.unsent()).toBe(0);
  const used = await Promise.all(customers.map(({ email }) => usedBy(email)));
  expect(used).toEqual(customers.map(() => 1000));
});

test("events of a clock that is an hour ahead are counted", async () => {
  const ada = await newSubscriber();
  const refused = vi.fn();
  const environment = { now: () => Date.now() + 3_600_000 };
  const client = open({ environment, onRefused: refused });
  client.record(ada.email, "exports", { amount: 7 });
  await client.flush();
  expect(refused).not.toHaveBeenCalled();
  expect(await usedBy(ada.email)).toBe(7);
});

test("a revoked key ends access to cached answers, and keeps usage for the next key", async () => {
  const ada = await newSubscriber();
  const file = join(folder, "revoked.log");
  const own = await newKey();
  const client = open({ key: own.key, storage: fileStorage(file) });
  await client.check(ada.email, "exports");
  await product.call(admin, revokeAppKey, {
    params: { id: app.id, keyId: own.id },
    body: {},
  });
  client.invalidate("all");
  await expect(client.check(ada.email, "exports")).rejects.toMatchObject({ status: 401 });
  expect(client.peek(ada.email, "exports")).toBeUndefined();
  client.record(ada.email, "exports", { amount: 4 });
  await expect(client.flush()).rejects.toMatchObject({ status: 401 });
  expect(await client.close()).toBe(1);
  await open({ storage: fileStorage(file) }).flush();
  expect(await usedBy(ada.email)).toBe(4);
});

test("a browser checks with a publishable key and the customer's token", async () => {
  const ada = await newSubscriber();
  const origins = ["https://app.example.com"];
  const scopes = ["entitlements:read"];
  const { key: publishable } = await newKey({ kind: "publishable", origins, scopes });
  const headers = { authorization: `Bearer ${key}` };
  const token = async (user: string) =>
    (await product.call(null, createCustomerToken, { body: { user }, headers })).body.token;
  const client = open({ key: publishable, token });
  expect(await client.isAllowed(ada.email, "offline-maps")).toBe(true);
  expect(await client.checkAll(ada.email)).toHaveLength(2);
});

test("changes arrive by the stream, only those of the customer who is affected, until the key is revoked", async () => {
  const [ada, bob] = [await newSubscriber(), await newSubscriber()];
  const own = await newKey();
  const errors: unknown[] = [];
  const onError = (error: Error) => void errors.push(error);
  const client = open({ key: own.key, live: true, onError });
  const changed: (string | null)[] = [];
  client.subscribe((user) => changed.push(user));
  const soon = { timeout: patiently(5000) };
  await vi.waitFor(() => expect(changed).toContain(null), soon);
  for (const { id } of [ada, bob]) await client.check(id, "offline-maps");
  changed.length = 0;

  await product.call(admin, revokeAccess, {
    params: { id: ada.grantId },
    body: { reason: "Requested by the customer." },
  });
  await vi.waitFor(() => expect(client.isFresh(ada.id, "offline-maps")).toBe(false), soon);
  expect(await client.check(ada.id, "offline-maps")).toMatchObject({ allowed: false });
  expect(changed).toContain(ada.id);
  // Personal data isn't needed to renew an answer.
  expect(changed).not.toContain(ada.email);
  expect(changed).not.toContain(bob.id);

  // After a gap, everything may have changed.
  changed.length = 0;
  proxy.set("down");
  proxy.set("up");
  await vi.waitFor(() => expect(changed).toContain(null), soon);

  const params = { id: app.id, keyId: own.id };
  await product.call(admin, revokeAppKey, { params, body: {} });
  const revoked = expect.objectContaining({ status: 401 });
  await vi.waitFor(() => expect(errors).toContainEqual(revoked), soon);
});

test("a customer of other apps only isn't named in the stream", async () => {
  const [ada, eve] = [await newSubscriber(), await product.signIn("viewer")];
  const client = open({ live: true });
  const changed: (string | null)[] = [];
  client.subscribe((user) => changed.push(user));
  const soon = { timeout: patiently(5000) };
  await vi.waitFor(() => expect(changed).toContain(null), soon);
  const { announcements } = product.platform;
  const touched = [eve.id, ada.id].map((id) => ({
    entity: "users",
    id,
    action: "update" as const,
  }));
  await announcements.announce(touched);
  await vi.waitFor(() => expect(changed).toContain(ada.id), soon);
  expect(changed).not.toContain(eve.id);
  expect(changed).not.toContain(eve.email);
});
