import { randomUUID } from "node:crypto";
import { createApp, listApps } from "@purser/contract/apps/endpoints";
import { createAppKey, revokeAppKey } from "@purser/contract/apps/keys";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { forgetIdempotencyKeys } from "./idempotency.ts";

const { call, signIn, owner, platform } = await testProduct({
  environment: { DATABASE_POOL_SIZE: "20" },
});
const admin = await signIn("admin");

const rowsWith = async (code: string) =>
  (await owner.query("select id from apps where code = $1", [code])).rows;

test("I3 repeats the first reply for the same key and body, byte for byte", async () => {
  const key = randomUUID();
  const body = { code: "twice", name: "Twice" };
  const first = await call(admin, createApp, { key, body });
  const second = await call(admin, createApp, { key, body });
  expect(first.status).toBe(201);
  expect(second.status).toBe(201);
  expect(second.text).toBe(first.text);
  expect(second.headers.etag).toBe('"1"');
  expect(second.headers["idempotent-replayed"]).toBe("true");
  expect(await rowsWith("twice")).toHaveLength(1);
});

test("I3 refuses the same key with another body", async () => {
  const key = randomUUID();
  await call(admin, createApp, { key, body: { code: "first-body", name: "A" } });
  const other = await call(admin, createApp, { key, body: { code: "second-body", name: "B" } });
  expect(other.status).toBe(422);
  expect(other.body["type"]).toBe("urn:purser:problem:idempotency_key_reused");
  expect(await rowsWith("second-body")).toEqual([]);
});

test("I3 creates one row for 50 concurrent posts with one key", async () => {
  const key = randomUUID();
  const body = { code: "fifty", name: "Fifty" };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call(admin, createApp, { key, body })),
  );
  const created = answers.filter(({ status }) => status === 201);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  expect(await rowsWith("fifty")).toHaveLength(1);
  const { rows } = await owner.query(
    "select count(*)::int as entries from audit_entries where after ->> 'code' = 'fifty'",
  );
  expect(rows[0].entries).toBe(1);
});

test("I3 accepts the key of a refused post for the corrected one", async () => {
  const key = randomUUID();
  await call(admin, createApp, { body: { code: "occupied", name: "A" } });
  const refused = await call(admin, createApp, { key, body: { code: "occupied", name: "B" } });
  expect(refused.status).toBe(409);
  const corrected = await call(admin, createApp, { key, body: { code: "free", name: "B" } });
  expect(corrected.status).toBe(201);
});

test("I3 scopes a key to one user and one operation", async () => {
  const key = randomUUID();
  const other = await signIn("admin");
  const mine = await call(admin, createApp, { key, body: { code: "mine", name: "Mine" } });
  const theirs = await call(other, createApp, { key, body: { code: "theirs", name: "Theirs" } });
  const elsewhere = await call(admin, createAppKey, {
    key,
    params: { id: mine.body.id },
    body: { name: "k", kind: "server", scopes: ["entitlements:read"] },
  });
  expect([mine.status, theirs.status, elsewhere.status]).toEqual([201, 201, 201]);
});

test.each([undefined, "", "short", "x".repeat(256), "with space"])(
  "a post without a usable key (%s) is refused",
  async (key) => {
    const refused = await call(admin, createApp, {
      headers: { "idempotency-key": key ?? "" },
      body: { code: "no-key", name: "No key" },
    });
    expect(refused.status).toBe(400);
    expect(refused.body["type"]).toBe("urn:purser:problem:idempotency_key_missing");
  },
);

test("replays a reply with a secret, which is nowhere in the database", async () => {
  const { id } = (await call(admin, createApp, { body: { code: "sealed", name: "Sealed" } })).body;
  const key = randomUUID();
  const sent = {
    key,
    params: { id },
    body: { name: "k", kind: "server" as const, scopes: ["entitlements:read" as const] },
  };
  const first = await call(admin, createAppKey, sent);
  const again = await call(admin, createAppKey, sent);
  expect(again.text).toBe(first.text);
  expect(first.body.secret).toMatch(/^purser_sk_[\w-]{43}$/);
  const { rows } = await owner.query(
    "select answer, key_hash from idempotency_keys where operation = 'POST /apps/:id/keys'",
  );
  for (const { answer, key_hash } of rows) {
    expect(answer.toString("latin1")).not.toContain("purser_sk_");
    expect(key_hash.toString("latin1")).not.toContain(key);
  }
});

test("requires the permission for a replay", async () => {
  const person = await signIn("admin");
  const key = randomUUID();
  const body = { code: "demoted", name: "Demoted" };
  await call(person, createApp, { key, body });
  await owner.query("update users set role = 'viewer' where id = $1", [person.id]);
  expect((await call(person, createApp, { key, body })).status).toBe(401);
});

test("deletes keys after two days", async () => {
  const key = randomUUID();
  await call(admin, createApp, { key, body: { code: "old-key", name: "Old" } });
  const count = async () =>
    (await owner.query("select count(*)::int as keys from idempotency_keys")).rows[0].keys;
  const before = await count();
  const hours = (after: number) => new Date(Date.now() + after * 3_600_000);
  await forgetIdempotencyKeys(platform.db, hours(47));
  expect(await count()).toBe(before);
  await forgetIdempotencyKeys(platform.db, hours(49));
  expect(await count()).toBe(0);
});

test("takes no key for GET, and refuses to revoke twice", async () => {
  expect((await call(admin, listApps)).status).toBe(200);
  const { id } = (await call(admin, createApp, { body: { code: "revoke", name: "R" } })).body;
  const made = await call(admin, createAppKey, {
    params: { id },
    body: { name: "k", kind: "server", scopes: ["entitlements:read"] },
  });
  const params = { id, keyId: made.body.id };
  expect((await call(admin, revokeAppKey, { params, body: {} })).status).toBe(200);
  expect((await call(admin, revokeAppKey, { params, body: {} })).status).toBe(409);
});
