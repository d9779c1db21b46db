import { activateApp, archiveApp, createApp } from "@purser/contract/apps/endpoints";
import { createAppKey, getCallingApp, listAppKeys, revokeAppKey } from "@purser/contract/apps/keys";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin");
const serverKey = {
  name: "Server",
  kind: "server",
  scopes: ["entitlements:read", "usage:write"],
} as const;

const newApp = async (code: string) =>
  (await call(admin, createApp, { body: { code, name: "An app" } })).body;
const activeApp = async (code: string) => {
  const { id, version } = await newApp(code);
  return (await call(admin, activateApp, { params: { id }, version, body: {} })).body;
};

test("shows a key's secret once, stores it hashed and records its last use", async () => {
  const { id } = await activeApp("with-keys");
  const made = await call(admin, createAppKey, {
    params: { id },
    body: { ...serverKey, scopes: [...serverKey.scopes] },
  });
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.body;
  expect(secret.startsWith(shown.prefix)).toBe(true);
  const listed = await call(admin, listAppKeys, { params: { id } });
  expect(listed.text).not.toContain(secret);
  expect(listed.body.items).toEqual([shown]);
  await call(null, getCallingApp, { headers: { authorization: `Bearer ${secret}` } });
  const used = await call(admin, listAppKeys, { params: { id } });
  expect(used.body.items[0]?.lastUsedAt).not.toBeNull();
  const { rows } = await owner.query("select k::text as row from app_keys k where app_id = $1", [
    id,
  ]);
  expect(rows[0].row).not.toContain(secret);
});

test("refuses an expired or revoked key immediately", async () => {
  const { id } = await activeApp("ending-keys");
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const body = { ...serverKey, scopes: [...serverKey.scopes], expiresAt: soon };
  const made = await call(admin, createAppKey, { params: { id }, body });
  const headers = { authorization: `Bearer ${made.body.secret}` };
  expect((await call(null, getCallingApp, { headers })).status).toBe(200);
  await owner.query("update app_keys set expires_at = now() where id = $1", [made.body.id]);
  expect((await call(null, getCallingApp, { headers })).status).toBe(401);
  const past = { ...body, expiresAt: "2020-01-01T00:00:00Z" };
  const refused = await call(admin, createAppKey, { params: { id }, body: past });
  expect([refused.status, refused.body["errors"]]).toMatchObject([
    400,
    [{ pointer: "/expiresAt" }],
  ]);
});

test("limits a publishable key to reading, and a key to its app", async () => {
  const { id } = await activeApp("publishable");
  const wide = await call(admin, createAppKey, {
    params: { id },
    body: { name: "Page", kind: "publishable", scopes: ["entitlements:read", "usage:write"] },
  });
  expect(wide.status).toBe(400);
  expect(wide.body["errors"]).toMatchObject([{ pointer: "/scopes" }]);
  const made = await call(admin, createAppKey, {
    params: { id },
    body: { name: "Page", kind: "publishable", scopes: ["entitlements:read"] },
  });
  const other = await activeApp("another");
  const foreign = { id: other.id, keyId: made.body.id };
  expect((await call(admin, revokeAppKey, { params: foreign, body: {} })).status).toBe(404);
});

test("M11 creates keys for an archived app, because its customers keep their access", async () => {
  const { id, version } = await activeApp("archived-keys");
  await call(admin, archiveApp, { params: { id }, version, body: {} });
  const body = { ...serverKey, scopes: [...serverKey.scopes] };
  const made = await call(admin, createAppKey, { params: { id }, body });
  expect(made.status).toBe(201);
  const headers = { authorization: `Bearer ${made.body.secret}` };
  expect((await call(null, getCallingApp, { headers })).body.app).toMatchObject({
    status: "archived",
    suspendedAt: null,
  });
});
