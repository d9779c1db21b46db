import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { listApps } from "@purser/contract/apps/endpoints";
import { createAppKey } from "@purser/contract/apps/keys";
import { getTestClock } from "@purser/contract/testMode/endpoints";
import { isAnsweredByLive, isChangedInLive } from "@purser/contract/testMode/paths";
import { listUsers } from "@purser/contract/users/endpoints";
import { addUserNote } from "@purser/contract/users/notes";
import { changeTeamMember, listTeam } from "@purser/contract/users/team";
import { expect, test } from "vitest";
import { createClient } from "../../../client/src/client.ts";
import { shopIn } from "../modules/transactions/testing/testing.ts";
import { markedPrefixes } from "../platform/testMode/copies.ts";
import { bothModes } from "./bothModes.testing.ts";

const { live, test: testMode, listen } = await bothModes();
const liveShop = await shopIn(live);
const testShop = await shopIn(testMode);

const keyIn = async ({ call }: typeof live, admin: { cookie: string }, appId: string) => {
  const body = { name: "Key", kind: "server" as const, scopes: ["entitlements:read"] as const };
  const made = await call(admin, createAppKey, {
    params: { id: appId },
    body: { ...body, scopes: [...body.scopes] },
  });
  expect(made.status, made.text).toBe(201);
  return String(made.body.secret);
};

const withKey = (secret: string) => ({ authorization: `Bearer ${secret}` });
const callingApp = async ({ app }: typeof live, api: string, secret: string) => {
  const headers = withKey(secret);
  const { statusCode, body } = await app.inject({ url: `${api}/calling-app`, headers });
  return { status: statusCode, body };
};

test("keys show their mode, and one of the other mode is refused with the URL to use", async () => {
  const liveKey = await keyIn(live, liveShop.admin, (await liveShop.newApp()).id);
  const testKey = await keyIn(testMode, testShop.admin, (await testShop.newApp()).id);
  expect(liveKey).toMatch(/^purser_sk_(?!test_)/);
  expect(testKey).toMatch(/^purser_sk_test_/);
  expect((await callingApp(live, "/api", liveKey)).status).toBe(200);
  expect((await callingApp(testMode, "/api/test", testKey)).status).toBe(200);
  const test = await callingApp(live, "/api", testKey);
  expect([test.status, test.body]).toEqual([401, expect.stringContaining("This is a test key")]);
  const other = await callingApp(testMode, "/api/test", liveKey);
  expect([other.status, other.body]).toEqual([401, expect.stringContaining("This is a live key")]);
});

test("a removed or downgraded team member is refused in test mode from the next request on", async () => {
  const member = await live.signIn("admin");
  expect((await testMode.call(member, listUsers)).status).toBe(200);
  await live.owner.query("update users set role = 'viewer' where id = $1", [member.id]);
  const cookie = await live.startSession(member.id);
  const { body } = await testMode.call(testShop.admin, listUsers);
  const id = body.items[0]?.id ?? member.id;
  const note = { params: { id }, body: { text: "Called." } };
  expect((await testMode.call({ cookie }, addUserNote, note)).status).toBe(403);
  await live.owner.query("update users set status = 'suspended' where id = $1", [member.id]);
  expect((await testMode.call({ cookie }, listUsers)).status).toBe(401);
  await testMode.platform.testMode?.copies.refresh();
  const { rows } = await testMode.owner.query("select role, status from users where id = $1", [
    member.id,
  ]);
  expect(rows).toEqual([{ role: "viewer", status: "suspended" }]);
  await live.owner.query("update users set role = null where id = $1", [member.id]);
  await testMode.platform.testMode?.copies.refresh();
  const gone = await testMode.owner.query("select role, name from users where id = $1", [
    member.id,
  ]);
  expect(gone.rows).toEqual([{ role: null, name: "Former team member" }]);
});

test("an ended session is refused in both modes", async () => {
  const member = await live.signIn("admin");
  expect((await testMode.call(member, listUsers)).status).toBe(200);
  await live.owner.query("delete from sessions where user_id = $1", [member.id]);
  expect((await testMode.call(member, listUsers)).status).toBe(401);
});

test("what team members do in test mode names them in its history", async () => {
  const { user } = await testShop.sell(testShop.saleOf((await testShop.sellPackage()).id));
  const note = { params: { id: user.id }, body: { text: "Called." } };
  expect((await testMode.call(testShop.admin, addUserNote, note)).status).toBe(201);
  const entry =
    "select actor_id from audit_entries where entity = 'user_notes' order by id desc limit 1";
  expect((await testMode.owner.query(entry)).rows).toEqual([{ actor_id: testShop.admin.id }]);
  expect((await live.owner.query(entry)).rows).toEqual([]);
});

test("a customer of test mode can have the email address of a team member", async () => {
  const email = `${randomUUID()}@example.com`;
  await testShop.sell(testShop.saleOf((await testShop.sellPackage()).id, { email }));
  const member = await live.signIn("admin");
  await live.owner.query("update users set email = $2 where id = $1", [member.id, email]);
  const shown = await testMode.call(member, getTestClock);
  expect(shown.status, shown.text).toBe(200);
});

test("team and settings can't be changed in test mode, however the URL is written", async () => {
  const change = { params: { id: testShop.admin.id }, version: 1, body: { role: "viewer" } };
  const refused = await testMode.call(testShop.admin, changeTeamMember, change as never);
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("Exit test mode to change them"),
  ]);
  const { cookie } = testShop.admin;
  for (const url of ["/api/test/session", "/api/test/%73ession", "/api/test/v1/sessions"]) {
    const answer = await testMode.app.inject({ url, headers: { cookie } });
    expect([url, answer.statusCode]).toEqual([url, 404]);
  }
});

test("two tabs have the mode of their URL, and own and shared calls reach live", async () => {
  const origin = await listen();
  const { cookie } = liveShop.admin;
  const ask = async (path: string, headers: Record<string, string> = { cookie }) => {
    const answer = await fetch(`${origin}${path}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const email = `${randomUUID()}@example.com`;
  await liveShop.sell(liveShop.saleOf((await liveShop.sellPackage()).id, { email }));
  const [one, other] = await Promise.all([ask("/api/users"), ask("/api/test/users")]);
  expect(one.text).toContain(email);
  expect([other.status, other.text]).toEqual([200, expect.not.stringContaining(email)]);
  for (const path of ["/session", "/v1/session", "/team", "/settings"]) {
    const [inLive, inTest] = await Promise.all([ask(`/api${path}`), ask(`/api/test${path}`)]);
    const [live, test] = [inLive, inTest].map(({ text }) => text.replace(/"position":"[^"]*"/, ""));
    expect([path, inTest.status, test]).toEqual([path, 200, live]);
  }
  expect((await ask("/api/test/users", {})).status).toBe(401);
  // Another site can't act in either mode.
  const foreign = { cookie, origin: "https://evil.example.com" };
  const sent = { method: "POST", headers: { ...foreign, "idempotency-key": "1" } };
  const crossSite = await fetch(`${origin}/api/test/test-clock`, sent);
  expect(crossSite.status).toBe(403);
});

test("the SDK reaches test mode with the URL of its dashboard", async () => {
  const origin = await listen();
  const { id } = await testShop.newApp();
  const key = await keyIn(testMode, testShop.admin, id);
  const client = createClient({ url: `${origin}/test`, key });
  expect(await client.checkAll(`${randomUUID()}@example.com`)).toEqual([]);
  await client.close();
});

test("the clock of test mode applies to sessions and to time in SQL", async () => {
  const year = 365 * 86_400_000;
  await testMode.owner.query("update test_clock set ahead_ms = $1", [year]);
  const shown = await testMode.call(testShop.admin, listTeam).catch(() => null);
  expect(shown?.status).toBe(404);
  const { body } = await testMode.call(testShop.admin, getTestClock);
  expect(Date.parse(body.now as string)).toBeGreaterThan(Date.now() + year - 60_000);
  const { user } = await testShop.sell(testShop.saleOf((await testShop.sellPackage()).id));
  const { rows } = await testMode.owner.query(
    `select created_at > pg_catalog.now() + interval '364 days' as made,
       uuid_v7() > uuid_v7_from(pg_catalog.now() + interval '364 days') as id,
       updated_at > pg_catalog.now() + interval '364 days' as updated from users where id = $1`,
    [user.id],
  );
  expect(rows).toEqual([{ made: true, id: true, updated: true }]);
});

test("counts of lists in live aren't shown in test mode", async () => {
  for (const shop of [liveShop, liveShop, testShop, testShop]) await shop.newApp();
  await live.owner.query("update pg_class set reltuples = 1e6 where relname = 'apps'");
  const query = { size: "1" };
  const inLive = (await live.call(liveShop.admin, listApps, { query })).body.total;
  const inTest = (await testMode.call(testShop.admin, listApps, { query })).body.total;
  expect([inLive?.kind, inTest?.kind]).toEqual(["at least", "exact"]);
});

test("no statement or function reads a time that can't be moved", () => {
  const schema = readFileSync(new URL("../../schema.sql", import.meta.url), "utf8");
  expect(schema).not.toMatch(
    /\b(current_timestamp|localtimestamp|current_date|transaction_timestamp|statement_timestamp)\b/i,
  );
});

test("each path belongs to live, to test mode or to both", () => {
  expect(isAnsweredByLive("GET", "/settings")).toBe(true);
  expect(isChangedInLive("PUT", "/settings")).toBe(true);
  expect(isAnsweredByLive("GET", "/settingsfile")).toBe(false);
  expect(isAnsweredByLive("DELETE", "/session")).toBe(true);
  expect(isChangedInLive("POST", "/users")).toBe(false);
});

test("documents of test mode have their own numbers", () => {
  expect(markedPrefixes("INV", "CN")).toEqual({
    invoice_prefix: "TEST-INV",
    credit_note_prefix: "TEST-CN",
  });
  expect(markedPrefixes("DOCUMENTS-A", "DOCUMENTS-B").invoice_prefix).toBe("TEST-INV");
});
