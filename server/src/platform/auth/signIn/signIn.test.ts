import { listSessions, signOutEverywhere } from "@purser/contract/auth/activeSessions";
import { getSession, signOut } from "@purser/contract/auth/session";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import {
  addPerson,
  addUsers,
  attemptSignIn,
  cookieOf,
  enter,
  hour,
  minute,
  movableClock,
} from "../testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner, platform, signIn: makeSignedIn } = product;

const statusOf = async (cookie: string) => (await call({ cookie }, getSession)).status;

test("T13 issues a new token and ends the session that the browser presented", async () => {
  const { email } = await addPerson(product);
  const before = await enter(product, email);
  const again = await attemptSignIn(product, { email, cookie: before.cookie });
  expect(again.status).toBe(200);
  const after = cookieOf(again);
  expect(after).not.toBe(before.cookie);
  expect(await statusOf(before.cookie)).toBe(401);
  expect(await statusOf(after)).toBe(200);
});

test("T13 does not adopt a token that was planted in the browser", async () => {
  const { email } = await addPerson(product);
  const planted = `__Host-purser=${"A".repeat(43)}`;
  const entered = await attemptSignIn(product, { email, cookie: planted });
  expect(entered.status).toBe(200);
  expect(await statusOf(planted)).toBe(401);
});

test("T13 ends the session of another user in the same browser", async () => {
  const [one, two] = await addUsers(product, 2);
  const first = await enter(product, one?.email ?? "");
  const second = await attemptSignIn(product, { email: two?.email ?? "", cookie: first.cookie });
  expect(second.status).toBe(200);
  expect(await statusOf(first.cookie)).toBe(401);
});

test("T13 binds cookies to the host, hides them from scripts and never sends them across sites", async () => {
  const { email } = await addPerson(product);
  const { entered } = await enter(product, email);
  const set = [entered.headers["set-cookie"] ?? []].flat();
  expect(set.map((line) => line.split("=")[0]).sort()).toEqual([
    "__Host-purser",
    "__Host-purser-device",
  ]);
  for (const line of set) {
    const attributes = line.split("; ").slice(1);
    for (const needed of ["Secure", "HttpOnly", "SameSite=Strict", "Path=/"])
      expect(attributes, line).toContain(needed);
    expect(line).not.toMatch(/domain=/i);
  }
});

test("T13 has no token in a reply body or in the database", async () => {
  const { email } = await addPerson(product);
  const { cookie, entered } = await enter(product, email);
  const tokens = entered.cookies.map(({ value }) => value);
  const shown = [
    entered.text,
    (await call({ cookie }, getSession)).text,
    (await call({ cookie }, listSessions)).text,
  ];
  const stored = await owner.query(
    "select string_agg(s::text, ' ') || (select string_agg(d::text, ' ') from known_devices d) as rows from sessions s",
  );
  expect(tokens).toHaveLength(2);
  for (const token of tokens)
    for (const text of [...shown, stored.rows[0].rows]) {
      expect(text).not.toContain(token);
      // PostgreSQL would show the token's own bytes in this spelling.
      expect(text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
    }
  const hashes = await owner.query("select encode(token_hash, 'hex') as hash from sessions");
  for (const { hash } of hashes.rows) expect(shown.join()).not.toContain(hash);
});

test("T13 ends only this session when signing out", async () => {
  const { email } = await addPerson(product);
  const here = await enter(product, email);
  const there = await enter(product, email);
  const out = await call(here, signOut);
  expect(out.status).toBe(204);
  expect(out.headers["set-cookie"]).toMatch(/^__Host-purser=;.*Expires=Thu, 01 Jan 1970/);
  expect(out.headers["clear-site-data"]).toBe('"cache", "storage"');
  expect(await statusOf(here.cookie)).toBe(401);
  expect(await statusOf(there.cookie)).toBe(200);
});

test("T13 ends all sessions of the user, and of no one else, when signing out everywhere", async () => {
  const { email } = await addPerson(product);
  const here = await enter(product, email);
  const there = await enter(product, email);
  const stranger = await makeSignedIn("viewer");
  const listed = await call(here, listSessions);
  expect(listed.body.items.map(({ current }) => current).sort()).toEqual([false, true]);
  expect((await call(here, signOutEverywhere)).status).toBe(204);
  expect(await statusOf(here.cookie)).toBe(401);
  expect(await statusOf(there.cookie)).toBe(401);
  expect(await statusOf(stranger.cookie)).toBe(200);
});

test("T13 ends a session after 30 minutes without a request, and not before", async () => {
  const { email } = await addPerson(product);
  const { cookie } = await enter(product, email);
  for (let asked = 0; asked < 3; asked += 1) {
    clock.forward(30 * minute - 1);
    expect(platform.now().getTime()).toBe(clock.now());
    expect(await statusOf(cookie)).toBe(200);
  }
  clock.forward(30 * minute);
  expect(await statusOf(cookie)).toBe(401);
});

test("T13 ends a session after 12 hours even if it is in use", async () => {
  const { email } = await addPerson(product);
  const start = clock.now();
  const { cookie, entered } = await enter(product, email);
  expect(entered.body).toMatchObject({
    me: { endsAt: new Date(start + 12 * hour * 1000).toISOString() },
  });
  for (let asked = 1; asked <= 47; asked += 1) {
    clock.forward(15 * minute);
    expect(await statusOf(cookie)).toBe(200);
  }
  clock.forward(15 * minute - 1);
  expect(await statusOf(cookie)).toBe(200);
  clock.forward(1);
  expect(await statusOf(cookie)).toBe(401);
});
