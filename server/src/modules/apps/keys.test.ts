import { activateApp, archiveApp, createApp } from "@purser/contract/apps/endpoints";
import {
  changeKeyOrigins,
  createAppKey,
  getCallingApp,
  listAppKeys,
  revokeAppKey,
} from "@purser/contract/apps/keys";
import type { Wire } from "@purser/contract/http/endpoint";
import { expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin");
const serverKey = {
  name: "Server",
  kind: "server",
  scopes: ["entitlements:read", "usage:write"],
} as const;

const publishableKey = {
  name: "Page",
  kind: "publishable",
  scopes: ["entitlements:read"],
  origins: ["https://app.example.com"],
} satisfies Wire<typeof createAppKey>["body"];

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
  // Written beside the request.
  await vi.waitFor(async () => {
    const used = await call(admin, listAppKeys, { params: { id } });
    expect(used.body.items[0]?.lastUsedAt).not.toBeNull();
  });
  const { rows } = await owner.query("select k::text as row from app_keys k where app_id = $1", [
    id,
  ]);
  expect(rows[0].row).not.toContain(secret);
});

test("T24 refuses an expired or revoked key immediately", async () => {
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
    body: { ...publishableKey, scopes: ["entitlements:read", "usage:write"] },
  });
  expect(wide.status).toBe(400);
  expect(wide.body["errors"]).toMatchObject([{ pointer: "/scopes" }]);
  const made = await call(admin, createAppKey, {
    params: { id },
    body: publishableKey,
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

const invalidOrigins = {
  "a wildcard": "https://*.example.com",
  "any origin": "*",
  null: "null",
  "a path": "https://app.example.com/",
  "another path": "https://app.example.com/shop",
  "no encryption": "http://app.example.com",
  "no scheme": "app.example.com",
  "another scheme": "file://app.example.com",
  capitals: "https://App.example.com",
  "the default port": "https://app.example.com:443",
  "no such port": "https://app.example.com:99999",
  "a password": "https://me:secret@app.example.com",
  "two origins": "https://a.example.com,https://b.example.com",
  "a line break": "https://a.example.com\nhttps://b.example.com",
  "letters that browsers encode": "https://bücher.example.com",
  "an address that browsers rewrite": "https://127.1",
  nothing: "",
};

test.each(Object.entries(invalidOrigins))("D1 refuses %s as an origin", async (_kind, origin) => {
  const { id } = await newApp(`o-${crypto.randomUUID()}`);
  const body = { ...publishableKey, origins: ["https://app.example.com", origin] };
  const { status, body: problem } = await call(admin, createAppKey, { params: { id }, body });
  expect([status, problem["errors"]]).toMatchObject([400, [{ pointer: "/origins/1" }]]);
});

test("D1 requires origins of a publishable key and refuses those of a server key", async () => {
  const { id } = await activeApp("with-origins");
  const create = (body: Wire<typeof createAppKey>["body"]) =>
    call(admin, createAppKey, { params: { id }, body });
  const origins = [
    "https://app.example.com",
    "https://app.example.com:8443",
    "http://localhost:5173",
  ];
  const refused = [
    await create({ ...publishableKey, origins: [] }),
    await create({ ...publishableKey, origins: [origins[0] ?? "", origins[0] ?? ""] }),
    await create({ ...serverKey, scopes: [...serverKey.scopes], origins }),
  ];
  for (const { status, body } of refused)
    expect([status, body["errors"]]).toMatchObject([400, [{ pointer: "/origins" }]]);
  expect((await create({ ...publishableKey, origins })).body).toMatchObject({
    origins,
    version: 1,
  });
});

test("D1 origins can be edited, one version after the other, until the key is revoked", async () => {
  const { id } = await activeApp("edited-origins");
  const made = await call(admin, createAppKey, { params: { id }, body: publishableKey });
  const params = { id, keyId: made.body.id };
  const headers = {
    authorization: `Bearer ${made.body.secret}`,
    origin: "https://app.example.com",
  };
  const change = (origins: string[], version: number, who = admin) =>
    call(who, changeKeyOrigins, { params, version, body: { origins } });

  // Use of the key is no edit, so it doesn't change the version.
  expect((await call(null, getCallingApp, { headers })).status).toBe(200);
  const origins = ["https://new.example.com"];
  expect((await change(origins, 1)).body).toMatchObject({ origins, version: 2 });
  expect((await call(null, getCallingApp, { headers })).status).toBe(403);
  expect((await change(["https://late.example.com"], 1)).status).toBe(412);
  expect((await change([], 2)).status).toBe(400);
  expect((await change(["*"], 2)).status).toBe(400);
  expect((await change(origins, 2, await signIn("support"))).status).toBe(403);
  const { rows } = await owner.query(
    "select after -> 'origins' as origins from audit_entries where record_id = $1 order by id desc limit 1",
    [made.body.id],
  );
  expect(rows[0].origins).toEqual(origins);

  const server = await call(admin, createAppKey, {
    params: { id },
    body: { ...serverKey, scopes: [...serverKey.scopes] },
  });
  const ofServer = { params: { id, keyId: server.body.id }, version: 1, body: { origins } };
  expect((await call(admin, changeKeyOrigins, ofServer)).status).toBe(409);
  await call(admin, revokeAppKey, { params, body: {} });
  expect((await change(["https://app.example.com"], 2)).status).toBe(409);
});
