import { randomUUID } from "node:crypto";
import { listSessions, signOutEverywhere } from "@purser/contract/auth/activeSessions";
import { getSession, signOut } from "@purser/contract/auth/session";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import {
  addPerson,
  addUsers,
  cookieOf,
  enter,
  hour,
  minute,
  movableClock,
  trySignIn,
} from "../testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner, platform, signIn: makeSignedIn } = product;

const statusOf = async (cookie: string) => (await call({ cookie }, getSession)).status;

test("T13 signing in gives a new token and ends the one that the browser presented", async () => {
  const { email } = await addPerson(product);
  const before = await enter(product, email);
  const again = await trySignIn(product, { email, cookie: before.cookie });
  expect(again.status).toBe(200);
  const after = cookieOf(again);
  expect(after).not.toBe(before.cookie);
  expect(await statusOf(before.cookie)).toBe(401);
  expect(await statusOf(after)).toBe(200);
});

test("T13 a token that somebody planted in the browser is not adopted", async () => {
  const { email } = await addPerson(product);
  const planted = `__Host-purser=${"A".repeat(43)}`;
  const entered = await trySignIn(product, { email, cookie: planted });
  expect(entered.status).toBe(200);
  expect(await statusOf(planted)).toBe(401);
});

test("T13 signing in over another person's session ends that session too", async () => {
  const [one, two] = await addUsers(product, 2);
  const first = await enter(product, one?.email ?? "");
  const second = await trySignIn(product, { email: two?.email ?? "", cookie: first.cookie });
  expect(second.status).toBe(200);
  expect(await statusOf(first.cookie)).toBe(401);
});

test("T13 the cookies are bound to the host, unreadable for scripts and never sent across sites", async () => {
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

test("T13 no answer tells a token in its body, and the database keeps none either", async () => {
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

test("T13 signing out ends this session and no other", async () => {
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

test("T13 signing out everywhere ends all of a person's sessions, and nobody else's", async () => {
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

test("T13 a session ends after 30 minutes without a request, and not before", async () => {
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

test("T13 a session ends after 12 hours however much it is used", async () => {
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

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How much slower the slowest kind is than the fastest, by their medians. A row is one turn of all kinds. */
const spreadOf = (rows: number[][]) => {
  const medians = (rows[0] ?? []).map((_, kind) => median(rows.map((row) => row[kind] ?? 0)));
  return Math.max(...medians) / Math.min(...medians) - 1;
};

const shuffled = (values: number[]) =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);

/** The spread that a busy machine makes by itself: of 200 worlds where the kinds mean nothing, the third largest. */
const spreadByChance = (rows: number[][]) =>
  Array.from({ length: 200 }, () => spreadOf(rows.map(shuffled))).sort((a, b) => a - b)[197] ?? 0;

/** Everyone who may not enter with a wrong password, each with as many accounts as there are tries. */
const addOutsiders = async (count: number) => ({
  unknown: Array.from({ length: count }, () => `${randomUUID()}@example.com`),
  known: (await addUsers(product, count)).map(({ email }) => email),
  suspended: (await addUsers(product, count, { status: "suspended" })).map(({ email }) => email),
  invited: (await addUsers(product, count, { status: "invited", secured: false })).map(
    ({ email }) => email,
  ),
  customer: (await addUsers(product, count, { role: null })).map(({ email }) => email),
});

/** The times of refusals by kind, tried in turns so that a busy moment hits all kinds alike. */
const measureRefusals = async (turns: number) => {
  const outsiders = Object.values(await addOutsiders(turns));
  const rows: number[][] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const row: number[] = [];
    for (let step = 0; step < outsiders.length; step += 1) {
      const kind = (turn + step) % outsiders.length;
      const email = outsiders[kind]?.[turn] ?? "";
      const start = performance.now();
      const { status } = await trySignIn(product, { email, password: "wrong" });
      row[kind] = performance.now() - start;
      expect(status).toBe(401);
    }
    rows.push(row);
  }
  return rows;
};

test("T15 whoever may not enter gets the same answer, byte for byte", async () => {
  const outsiders = await addOutsiders(1);
  const tries = [
    { email: outsiders.known[0] ?? "", password: "wrong" },
    // Even with the right password, these three are strangers.
    { email: outsiders.suspended[0] ?? "" },
    { email: outsiders.customer[0] ?? "" },
    { email: outsiders.invited[0] ?? "" },
    { email: outsiders.unknown[0] ?? "" },
  ];
  const answers = [];
  for (const tried of tries) {
    const { status, text, headers, cookies } = await trySignIn(product, tried);
    const { "x-request-id": id, date: _, ...others } = headers;
    expect(id).toBeTruthy();
    answers.push({ status, text: text.replaceAll(String(id), ""), others, cookies });
  }
  expect(answers[0]?.status).toBe(401);
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test("T15 an address that nobody has must wait after wrong tries like one that somebody has", async () => {
  const outsiders = await addOutsiders(1);
  for (const [email = ""] of Object.values(outsiders)) {
    const statuses = [];
    for (let tried = 0; tried < 6; tried += 1)
      statuses.push((await trySignIn(product, { email, password: "wrong" })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  }
});

test(
  "T15 the time to refuse does not tell whether there is an account",
  async ({ annotate }) => {
    const leaks = [];
    for (let measurement = 0; measurement < 3; measurement += 1) {
      const rows = await measureRefusals(sized({ gate: 30, nightly: 100 }));
      const medians = (rows[0] ?? []).map((_, kind) => median(rows.map((row) => row[kind] ?? 0)));
      const [spread, chance] = [spreadOf(rows), spreadByChance(rows)];
      await annotate(JSON.stringify({ medians, spread, chance }));
      if (spread <= Math.max(0.05, chance)) return;
      leaks.push({ medians, spread, chance });
    }
    expect(leaks, "three measurements in a row tell the kinds apart").toEqual([]);
  },
  patiently(180_000),
);

const wrong = (email: string, more: { cookie?: string; address?: string } = {}) =>
  trySignIn(product, { email, password: `wrong ${randomUUID()}`, ...more });

/** Only the cookie that tells a known device: its session may long be over. */
const deviceOf = async (email: string) => {
  const { entered } = await enter(product, email);
  return cookieOf({ cookies: entered.cookies.filter(({ name }) => name.endsWith("-device")) });
};

test("T16 of 1,000 wrong passwords from 1,000 addresses at most 40 are judged, and the owner still enters", async ({
  annotate,
}) => {
  const { email } = await addPerson(product);
  const cookie = await deviceOf(email);
  const statuses: number[] = [];
  for (let wave = 0; wave < 100; wave += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => wrong(email)));
    statuses.push(...answers.map(({ status }) => status));
    if (wave === 50) expect((await trySignIn(product, { email, cookie })).status).toBe(200);
  }
  const judged = statuses.filter((status) => status === 401).length;
  await annotate(`${judged} of ${statuses.length} were judged`);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1000 - judged);
  expect(judged).toBeLessThanOrEqual(40);
  expect((await trySignIn(product, { email })).status, "even the right one must wait").toBe(429);
  expect((await trySignIn(product, { email, cookie })).status).toBe(200);
  expect((await wrong(email)).status, "the owner's entry must not forgive the stranger").toBe(429);
});

test("T16 of 20 wrong passwords at the same moment five are judged", async () => {
  const { email } = await addPerson(product);
  const answers = await Promise.all(Array.from({ length: 20 }, () => wrong(email)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
});

test("T16 each further wrong password makes the account wait twice as long, up to 15 minutes", async () => {
  const { email } = await addPerson(product);
  for (let tried = 0; tried < 5; tried += 1) expect((await wrong(email)).status).toBe(401);
  for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
    const refused = await trySignIn(product, { email });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, String(seconds)]);
    expect(refused.body["retryAfterSeconds"]).toBe(seconds);
    clock.forward(seconds - 1);
    expect((await trySignIn(product, { email })).headers["retry-after"]).toBe("1");
    clock.forward(1);
    expect((await wrong(email)).status).toBe(401);
  }
  clock.forward(15 * minute);
  expect((await trySignIn(product, { email })).status).toBe(200);
  expect((await wrong(email)).status, "a right password starts the count anew").toBe(401);
  expect((await trySignIn(product, { email })).status).toBe(200);
});

test("T16 a stolen device is slowed like anybody, and helps with no other account", async () => {
  const { email } = await addPerson(product);
  const other = await addPerson(product);
  const cookie = await deviceOf(email);
  const statuses = [];
  for (let tried = 0; tried < 6; tried += 1) statuses.push((await wrong(email, { cookie })).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  for (let tried = 0; tried < 5; tried += 1) await wrong(other.email);
  expect((await trySignIn(product, { email: other.email, cookie })).status).toBe(429);
});

/** As many wrong tries from one address, each at another account, and how they were answered. */
const failFrom = async (address: string, count: number) => {
  const people = await addUsers(product, count);
  const answers = await Promise.all(people.map(({ email }) => wrong(email, { address })));
  return answers.map(({ status }) => status);
};

test("T16 an address that fails against many accounts must wait, and its IPv6 neighbours with it", async () => {
  const { email } = await addPerson(product);
  const statuses = await failFrom("2001:db8:7:7::1", 70);
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  const from = async (address: string) => (await trySignIn(product, { email, address })).status;
  expect(await from("2001:db8:7:7::1")).toBe(429);
  expect(await from("2001:db8:7:7:8::9")).toBe(429);
  expect(await from("2001:db8:7:8::1")).toBe(200);
  clock.forward(30);
  expect(await from("2001:db8:7:7::1")).toBe(200);
});

test("T16 IPv4 addresses are counted apart also where the server listens on IPv6", async () => {
  const { email } = await addPerson(product);
  await failFrom("::ffff:192.0.2.1", 61);
  expect((await trySignIn(product, { email, address: "::ffff:192.0.2.1" })).status).toBe(429);
  expect((await trySignIn(product, { email, address: "::ffff:192.0.2.2" })).status).toBe(200);
});

test("T16 a right password does not make its address wait", async () => {
  const { email } = await addPerson(product);
  const address = "192.0.2.77";
  await failFrom(address, 59);
  expect((await trySignIn(product, { email, address })).status).toBe(200);
  expect((await trySignIn(product, { email, address })).status).toBe(200);
});
