import {
  activateApp,
  archiveApp,
  changeApp,
  createApp,
  deleteApp,
  exportApps,
  getApp,
  listApps,
  restoreApp,
} from "@purser/contract/apps/endpoints";
import { appWritable } from "@purser/contract/apps/fields";
import { createAppKey } from "@purser/contract/apps/keys";
import { getAppActivity, previewRevert, revertEntry } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { snakeCase } from "#platform/db/names.ts";
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

test("creates an app as a draft with default values", async () => {
  const created = await call(admin, createApp, { body: { code: "defaults", name: "  Defaults " } });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    code: "defaults",
    name: "Defaults",
    description: "",
    platforms: [],
    icon: "apps",
    supportEmail: null,
    status: "draft",
    codeFrozen: false,
    keys: 0,
    version: 1,
  });
  const read = await call(admin, getApp, { params: { id: created.body.id } });
  expect(read.text).toBe(created.text);
});

test("activates, archives and restores an app", async () => {
  const { id } = await newApp("life");
  const activated = await call(admin, activateApp, { params: { id }, version: 1, body: {} });
  expect(activated.body).toMatchObject({ status: "active", codeFrozen: true, version: 2 });
  const archived = await call(admin, archiveApp, {
    params: { id },
    version: 2,
    body: { reason: "Sold off" },
  });
  expect(archived.body).toMatchObject({ status: "archived", version: 3 });
  const restored = await call(admin, restoreApp, { params: { id }, version: 3, body: {} });
  expect(restored.body).toMatchObject({ status: "active", version: 4 });
  const again = await call(admin, restoreApp, { params: { id }, version: 4, body: {} });
  expect(again.status).toBe(409);
});

test("freezes the code once the app was active", async () => {
  const { id } = await newApp("changing");
  const changed = await call(admin, changeApp, {
    params: { id },
    version: 1,
    body: { code: "changed", name: "An app" },
  });
  expect(changed.body.code).toBe("changed");
  await call(admin, activateApp, { params: { id }, version: 2, body: {} });
  const refused = await call(admin, changeApp, {
    params: { id },
    version: 3,
    body: { code: "other", name: "An app" },
  });
  expect(refused.status).toBe(409);
  expect(refused.body["type"]).toBe("urn:purser:problem:code_frozen");
});

test("freezes the code once a key exists, in the database too", async () => {
  const { id } = await newApp("keyed");
  await call(admin, createAppKey, {
    params: { id },
    body: { ...serverKey, scopes: [...serverKey.scopes] },
  });
  const read = await call(admin, getApp, { params: { id } });
  expect(read.body).toMatchObject({ codeFrozen: true, keys: 1, version: 1 });
  await expect(owner.query("update apps set code = 'by-hand' where id = $1", [id])).rejects.toThrow(
    "This code is in use and can't be changed.",
  );
});

test("deletes only a draft that is not in use", async () => {
  const draft = await newApp("short-lived");
  const removed = await call(admin, deleteApp, { params: { id: draft.id }, version: 1 });
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await call(admin, getApp, { params: { id: draft.id } })).status).toBe(404);

  const active = await activeApp("long-lived");
  expect((await call(admin, deleteApp, { params: { id: active.id }, version: 2 })).status).toBe(
    409,
  );

  const keyed = await newApp("keyed-draft");
  await call(admin, createAppKey, {
    params: { id: keyed.id },
    body: { ...serverKey, scopes: [...serverKey.scopes] },
  });
  const refused = await call(admin, deleteApp, { params: { id: keyed.id }, version: 1 });
  expect(refused.body["type"]).toBe("urn:purser:problem:in_use");
});

test("T3 refuses to write any column other than the details", async () => {
  const { rows } = await owner.query<{ column_name: string }>(
    "select column_name from information_schema.columns where table_name = 'apps'",
  );
  const writable = appWritable.map(snakeCase);
  const others = rows
    .map(({ column_name }) => column_name)
    .filter((name) => !writable.includes(name));
  expect(others).toContain("status");
  for (const column of others)
    for (const name of [
      column,
      column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    ]) {
      const body = { code: "assigned", name: "Assigned", [name]: "active" };
      expect((await call(admin, createApp, { body })).status, name).toBe(400);
    }
  const list = await call(admin, listApps, { query: { f: "code:is:assigned" } });
  expect(list.body.items).toEqual([]);
});

test.each([
  "http://example.com",
  "javascript:alert(1)",
  "https:alert(1)",
  "https://ada:secret@example.com",
  "example.com",
])("refuses a website that is not a plain https link: %s", async (website) => {
  const body = { code: "linked", name: "Linked", website };
  const { status, body: problem } = await call(admin, createApp, { body });
  expect(status).toBe(400);
  expect(problem).toMatchObject({
    errors: [
      {
        pointer: "/website",
        message: "Enter a URL that starts with https://, without a username or password.",
      },
    ],
  });
});

test("filters, exports, records and reverts a website like any other field", async () => {
  const before = { code: "sited", name: "Sited", website: "https://example.com/before" };
  const { id } = (await call(admin, createApp, { body: before })).body;
  const changes = { ...before, website: `https://example.com/${"a".repeat(180)}` };
  await call(admin, changeApp, { params: { id }, version: 1, body: changes });
  const tooLong = { ...before, website: `https://example.com/${"a".repeat(181)}` };
  const refused = await call(admin, changeApp, { params: { id }, version: 2, body: tooLong });
  expect(refused.text).toContain("Use at most 200 characters.");
  const f = "website:contains:EXAMPLE.com/aaa";
  expect((await call(admin, listApps, { query: { f } })).body.items).toMatchObject([{ id }]);
  const file = await call(admin, exportApps, { query: { f, format: "csv", columns: "website" } });
  expect(file.text).toContain(changes.website);
  const [entry] = (await call(admin, getAppActivity, { params: { id } })).body.items;
  expect(entry?.changes).toMatchObject([{ field: "website", before: before.website }]);
  const params = { id: entry?.id ?? "" };
  const { version } = (await call(admin, previewRevert, { params })).body;
  await call(admin, revertEntry, { params, version: version ?? 0, body: {} });
  expect((await call(admin, getApp, { params: { id } })).body.website).toBe(before.website);
});
