import { activateApp, createApp, deleteApp } from "@purser/contract/apps/endpoints";
import { createAppKey, revokeAppKey } from "@purser/contract/apps/keys";
import { changePassword } from "@purser/contract/auth/passwords";
import { inviteTeamMember } from "@purser/contract/users/team";
import { getAppActivity, listActivity } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { addPerson, cookieOf, enter, password } from "../auth/testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const admin = await signIn("admin", "Ada Admin");
const viewer = await signIn("viewer");

const newApp = async (code: string) =>
  (await call(admin, createApp, { body: { code, name: `App ${code}` } })).body;
const newKey = async (id: string) => {
  const body = { name: "Till", kind: "server" as const, scopes: ["entitlements:read" as const] };
  return (await call(admin, createAppKey, { params: { id }, body })).body;
};

test("lists recent changes newest first with the record, its label and its app", async () => {
  const { id } = await newApp("told");
  const key = await newKey(id);
  const { body } = await call(viewer, listActivity);
  expect(body.items.slice(0, 2)).toMatchObject([
    { entity: "app_keys", recordId: key.id, label: "Till", appId: id, action: "insert" },
    { entity: "apps", recordId: id, label: "App told", appId: null, action: "insert" },
  ]);
  expect(body.items[0]).toMatchObject({ actor: { id: admin.id }, address: null });
  const seen = await call(admin, listActivity);
  expect(seen.body.items[0]?.address).toBe("127.0.0.1");
});

test("labels deleted and unnamed records", async () => {
  const { id } = await newApp("short");
  await call(admin, deleteApp, { params: { id }, version: 1 });
  const { body } = await call(viewer, listActivity);
  expect(body.items[0]).toMatchObject({ recordId: id, action: "delete", label: "App short" });
  await owner.query("insert into users (email, name) values ('nameless@example.com', '')");
  const people = await call(admin, listActivity);
  expect(people.body.items[0]).toMatchObject({ entity: "users", label: "nameless@example.com" });
});

test("T1 hides changes of unreadable records, and secrets from everyone", async () => {
  const person = await addPerson(product, { role: "owner" });
  const entered = await enter(product, person.email);
  const next = "a-new-ballast-orchid-9";
  const body = { current: password, password: next };
  const cookie = cookieOf(await call(entered, changePassword, { body }));
  await call({ cookie }, inviteTeamMember, {
    body: { email: "invited@example.com", name: "Ivy", role: "viewer" },
  });
  const { id } = await newApp("hidden");
  const key = await newKey(id);
  const { rows } = await owner.query(
    `select encode(secret_hash, 'hex') as secret from app_keys where id = $1
     union all select hash from passwords`,
    [key.id],
  );
  const walk = async (caller: { cookie: string }) => {
    const items = [];
    let after: string | undefined;
    do {
      const { body } = await call(caller, listActivity, { query: after ? { after } : {} });
      items.push(...body.items);
      after = body.next ?? undefined;
    } while (after);
    return items;
  };
  const forOwner = await walk({ cookie });
  const forViewer = await walk(viewer);
  const entitiesOf = (items: typeof forOwner) => [...new Set(items.map(({ entity }) => entity))];
  expect(entitiesOf(forOwner).sort()).toEqual(["app_keys", "apps", "users"]);
  expect(entitiesOf(forViewer).sort()).toEqual(["app_keys", "apps"]);
  const text = JSON.stringify(forOwner);
  expect(text).not.toMatch(/secret|hash|password/i);
  for (const { secret } of rows) expect(text).not.toContain(secret);
  expect(text).not.toContain(key.secret);
});

test("pages through every entry once, 25 at a time, while entries are added", async () => {
  await owner.query(
    "insert into apps (code, name) select 'paged-' || n, 'P' || n from generate_series(1, 80) n",
  );
  await owner.query(
    "insert into users (email, name) select n || '@example.com', 'C' from generate_series(1, 80) n",
  );
  const labels: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 3; page += 1) {
    const { body } = await call(viewer, listActivity, { query: after ? { after } : {} });
    expect(body.items).toHaveLength(25);
    labels.push(...body.items.map(({ label }) => label));
    after = body.next ?? undefined;
    await newApp(`meanwhile-${page}`);
  }
  expect(labels).toEqual(Array.from({ length: 75 }, (_, n) => `P${80 - n}`));
});

test("includes the app's own keys in its activity", async () => {
  const { id, version } = await newApp("with-keys");
  const other = await newApp("other");
  await newKey(other.id);
  const key = await newKey(id);
  await call(admin, activateApp, { params: { id }, version, body: {} });
  const keyId = key.id;
  await call(admin, revokeAppKey, { params: { id, keyId }, body: { reason: "It leaked." } });
  const { body } = await call(viewer, getAppActivity, { params: { id } });
  expect(body.items.map(({ entity, action }) => `${action} ${entity}`)).toEqual([
    "update app_keys",
    "update apps",
    "insert app_keys",
    "insert apps",
  ]);
  expect(body.items[0]).toMatchObject({
    recordId: key.id,
    appId: id,
    label: "Till",
    reason: "It leaked.",
    changes: [{ field: "revokedAt", before: null }],
  });
});
