import { createCustomerToken } from "@purser/contract/entitlements/customerTokens";
import { getSnapshot } from "@purser/contract/entitlements/snapshots";
import { expect, test } from "vitest";
import { createClient } from "../../../client/src/client.ts";
import { attachSnapshots, verifySnapshot } from "../../../client/src/snapshots.ts";
import { secrets } from "../commands/secrets.ts";
import { signingKeys } from "../commands/signingKeys.ts";
import { runHere } from "../commands/testing.ts";
import { atEnd } from "../testing.ts";
import { soldApp } from "./app.testing.ts";

const { product, app, newKey, newSubscriber, proxy, grants, pro } = await soldApp();
const { key } = await newKey();
const headers = { authorization: `Bearer ${key}` };
const purser = (...words: string[]) => runHere(product.config, signingKeys, ...words);

const keysOf = async () =>
  (await product.app.inject({ url: "/.well-known/jwks.json" })).json().keys as {
    kid: string;
    kty: string;
    crv: string;
    x: string;
  }[];

const snapshotOf = async (user: string, hours?: string) => {
  const query = { user, ...(hours && { hours }) };
  const got = await product.call(null, getSnapshot, { query, headers });
  expect(got.status, got.text).toBe(200);
  return got.body;
};

const memory = () => {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
};

const open = (storage = memory(), environment = {}) => {
  proxy.set("up");
  const client = createClient({ url: proxy.url, key, retries: 0, failuresMax: 1e6, environment });
  atEnd(async () => {
    await client.close();
  });
  return { client, snapshots: attachSnapshots(client, { app: app.code, storage }) };
};

test("the first snapshot creates a signing key, also with many requests at once", async () => {
  expect(await keysOf()).toEqual([]);
  expect((await purser()).stdout).toContain("No signing key yet.");
  const ada = await newSubscriber();
  await Promise.all(Array.from({ length: 8 }, () => snapshotOf(ada.email)));
  const keys = await keysOf();
  expect(keys).toMatchObject([{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" }]);
  expect(JSON.stringify(keys)).not.toContain('"d"');
  expect((await purser()).stdout).toMatch(/signs\n$/);
});

test("an app verifies a snapshot, and refuses altered, foreign and expired ones", async () => {
  const ada = await newSubscriber();
  const { token, expiresAt } = await snapshotOf(ada.email, "2");
  const expected = { keys: await keysOf(), app: app.code, user: ada.email };
  const snapshot = await verifySnapshot(token, expected);
  expect(snapshot).toMatchObject({ iss: product.config.PUBLIC_URL, aud: app.code, sub: ada.email });
  expect(snapshot.exp - snapshot.iat).toBe(7200);
  expect(snapshot.features.find(({ feature }) => feature.code === "exports")).toMatchObject({
    allowed: true,
    value: 20_000,
  });

  const [header = "", payload = "", signature = ""] = token.split(".");
  const richer = Buffer.from(payload, "base64url").toString().replace("20000", "99999");
  const unsigned = Buffer.from('{"alg":"none","typ":"purser-snapshot+jwt"}').toString("base64url");
  const forged = [
    [header, Buffer.from(richer).toString("base64url"), signature].join("."),
    [unsigned, payload, ""].join("."),
    [header, payload, signature.slice(0, -4)].join("."),
    "nothing",
  ];
  for (const one of forged) await expect(verifySnapshot(one, expected)).rejects.toThrow();
  const others = [
    { ...expected, app: "other" },
    { ...expected, user: "eve@example.com" },
    { ...expected, keys: [] },
    { ...expected, now: Date.parse(expiresAt) },
  ];
  for (const other of others) await expect(verifySnapshot(token, other)).rejects.toThrow();
});

test("a snapshot expires with the first grant that ends", async () => {
  const { email } = await grants.newCustomer();
  const endsAt = new Date(Date.now() + 600_000).toISOString();
  await grants.grantTo(email, { packageId: pro.id }, { endsAt });
  expect((await snapshotOf(email)).expiresAt).toBe(endsAt);
});

test("an app without a connection answers from its stored snapshot until it expires", async () => {
  const ada = await newSubscriber();
  const storage = memory();
  const online = open(storage);
  await online.snapshots.refresh(ada.email);

  let aheadMs = 0;
  const offline = open(storage, { now: () => Date.now() + aheadMs });
  proxy.set("down");
  expect(await offline.client.isAllowed(ada.email, "offline-maps")).toBe(false);
  await offline.snapshots.restore(ada.email);
  expect(await offline.client.check(ada.email, "exports", { amount: 20_001 })).toMatchObject({
    allowed: false,
    source: "snapshot",
  });
  expect(await offline.client.check(ada.email, "offline-maps")).toMatchObject({
    allowed: true,
    source: "snapshot",
  });
  aheadMs = 25 * 3_600_000;
  expect(await offline.client.check(ada.email, "offline-maps")).toMatchObject({
    allowed: false,
    source: "fallback",
  });
  expect(await offline.snapshots.restore("nobody@example.com")).toBeNull();
});

test("a clock that is wrong doesn't end a snapshot while Purser tells its time", async () => {
  const ada = await newSubscriber();
  const { snapshots } = open(memory(), { now: () => Date.now() + 30 * 86_400_000 });
  expect(await snapshots.refresh(ada.email)).toMatchObject({ sub: ada.email });
});

test("after a rotation older snapshots are valid and new ones are verified with the new key, unless it is forced", async () => {
  const ada = await newSubscriber();
  const storage = memory();
  const { snapshots } = open(storage);
  await snapshots.refresh(ada.email);
  const { token } = await snapshotOf(ada.email);
  const [first] = await keysOf();

  const rotated = await purser("rotate");
  expect(rotated.stdout).toMatch(/^Snapshots are signed with a new key\.\n/);
  expect(rotated.stdout).toContain("verifies until");
  const keys = await keysOf();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toEqual(first);
  const expected = { keys, app: app.code, user: ada.email };
  expect(await verifySnapshot(token, expected)).toMatchObject({ sub: ada.email });
  expect(await snapshots.restore(ada.email)).toMatchObject({ sub: ada.email });
  // The app doesn't know the new key yet and loads it.
  expect(await snapshots.refresh(ada.email)).toMatchObject({ sub: ada.email });

  await purser("rotate", "--force");
  const forced = await keysOf();
  expect(forced).toHaveLength(1);
  await expect(verifySnapshot(token, { ...expected, keys: forced })).rejects.toMatchObject({
    code: "snapshot_key_unknown",
  });
  expect(await snapshots.refresh(ada.email)).toMatchObject({ sub: ada.email });
  expect(await purser("remove")).toMatchObject({ code: 1 });
});

test("private keys are encrypted, and take the newest key of SECRET_KEYS", async () => {
  const { rows } = await product.owner.query("select secret from signing_keys");
  expect(rows.length).toBeGreaterThan(0);
  const { SECRET_KEYS } = product.config;
  const both = { ...product.config, SECRET_KEYS: ["another key", ...SECRET_KEYS] };
  const { stdout } = await runHere(both, secrets, "rotate");
  expect(stdout).toContain(`Encrypted ${rows.length} stored secrets`);
  await runHere({ ...both, SECRET_KEYS: [...SECRET_KEYS, "another key"] }, secrets, "rotate");
  expect((await snapshotOf("ada@example.com")).token).toBeTruthy();
});

test("a server key names the customer, and a publishable key can't", async () => {
  expect((await product.call(null, getSnapshot, { headers })).status).toBe(400);
  const ada = await newSubscriber();
  const origins = ["https://app.example.com"];
  const scopes = ["entitlements:read"];
  const publishable = await newKey({ kind: "publishable", origins, scopes });
  const body = { user: ada.email };
  const { token } = (await product.call(null, createCustomerToken, { body, headers })).body;
  const own = {
    authorization: `Bearer ${publishable.key}`,
    origin: "https://app.example.com",
    "purser-customer-token": token,
  };
  const got = await product.call(null, getSnapshot, { headers: own });
  expect(got.status, got.text).toBe(200);
  const query = { user: "eve@example.com" };
  expect((await product.call(null, getSnapshot, { query, headers: own })).status).toBe(400);
  const { "purser-customer-token": _, ...tokenless } = own;
  expect((await product.call(null, getSnapshot, { headers: tokenless })).status).toBe(401);
  const usage = await newKey({ scopes: ["usage:write"] });
  const wrong = { authorization: `Bearer ${usage.key}` };
  expect((await product.call(null, getSnapshot, { query, headers: wrong })).status).toBe(403);
});
