import { randomUUID } from "node:crypto";
import {
  endOwnSession,
  endTeamMemberSession,
  endTeamMemberSessions,
  listSessions,
  listSignIns,
  listTeamMemberSessions,
  listTeamMemberSignIns,
} from "@purser/contract/auth/activeSessions";
import { getSession, getSignedInUser } from "@purser/contract/auth/session";
import { signIn, signInWithCode, signInWithPasskey } from "@purser/contract/auth/signIn";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import {
  addPerson,
  addPersonWithCode,
  attemptSignIn,
  codeAt,
  cookieOf,
  enter,
  minute,
  movableClock,
  newAddress,
  password,
  startCode,
} from "../testing.ts";
import { removeOldSignIns } from "./signInLog.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner, platform, signIn: makeSignedIn } = product;

type Person = { cookie: string };

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0";

const statusOf = async (person: Person) => (await call(person, getSession)).status;
const sessionsOf = async (person: Person) => (await call(person, listSessions)).body.items;
const signInsOf = async (person: Person) => (await call(person, listSignIns)).body.items;

const enterWith = async (email: string, userAgent: string, address = newAddress()) => {
  const headers = { "user-agent": userAgent };
  const entered = await call(null, signIn, { body: { email, password }, headers, address });
  expect(entered.status).toBe(200);
  return { cookie: cookieOf(entered) };
};

test("answers who is signed in, also if no one is", async () => {
  const { email } = await addPerson(product);
  const here = await enter(product, email);
  const known = await call(here, getSignedInUser);
  const session = { ...(await call(here, getSession)).body, position: expect.any(String) };
  expect([known.status, known.body.user]).toEqual([200, session]);
  for (const stranger of [null, { cookie: "__Host-purser=made-up" }]) {
    const { status, body } = await call(stranger, getSignedInUser);
    expect([status, body]).toEqual([200, { user: null }]);
  }
});

test("T13 lists the user's active sessions with browser names, and ends one", async () => {
  const { email } = await addPerson(product);
  const there = await enterWith(email, firefox, "192.0.2.44");
  clock.forward(minute);
  const here = await enter(product, email);
  const [first, second, ...more] = await sessionsOf(here);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ current: true });
  expect(second).toMatchObject({
    current: false,
    device: { text: "Firefox on Linux" },
    address: "192.0.2.44",
    createdAt: new Date(clock.now() - minute * 1000).toISOString(),
  });
  const params = { id: second?.id ?? "" };
  expect((await call(here, endOwnSession, { params })).status).toBe(204);
  expect(await statusOf(there)).toBe(401);
  expect(await statusOf(here)).toBe(200);
  expect((await call(here, endOwnSession, { params })).status, "it is over already").toBe(404);
});

test("T13 signs out when the current session is ended, and lists no ended sessions", async () => {
  const { email } = await addPerson(product);
  await enter(product, email);
  clock.forward(31 * minute);
  const here = await enter(product, email);
  const [own, ...others] = await sessionsOf(here);
  expect(others).toEqual([]);
  const ended = await call(here, endOwnSession, { params: { id: own?.id ?? "" } });
  expect(ended.headers["set-cookie"]).toMatch(/^__Host-purser=;/);
  expect(await statusOf(here)).toBe(401);
});

test("T1 neither shows nor ends the sessions of others in one's own list", async () => {
  const victim = await makeSignedIn("viewer");
  const [{ id = "" } = {}] = await sessionsOf(victim);
  for (const role of ["owner", "admin", "viewer"] as const) {
    const other = await makeSignedIn(role);
    expect((await call(other, endOwnSession, { params: { id } })).status).toBe(404);
    expect((await sessionsOf(other)).map((session) => session.id)).not.toContain(id);
    expect((await signInsOf(other)).length).toBe(0);
  }
  expect(await statusOf(victim)).toBe(200);
});

test("lets an owner list and end the sessions of one team member only", async () => {
  const boss = await makeSignedIn("owner");
  const { id, email } = await addPerson(product, { role: "finance" });
  const bystander = await makeSignedIn("finance");
  const [here, there] = [await enter(product, email), await enter(product, email)];
  const params = { id };
  const listed = (await call(boss, listTeamMemberSessions, { params })).body.items;
  expect(listed.map(({ current }) => current)).toEqual([false, false]);
  const sessionId = listed[0]?.id ?? "";
  const crossed = { id: bystander.id, sessionId };
  expect((await call(boss, endTeamMemberSession, { params: crossed })).status).toBe(404);
  expect((await call(boss, endTeamMemberSession, { params: { id, sessionId } })).status).toBe(204);
  expect([await statusOf(here), await statusOf(there)].sort()).toEqual([200, 401]);
  expect((await call(boss, endTeamMemberSessions, { params })).status).toBe(204);
  expect([await statusOf(here), await statusOf(there)]).toEqual([401, 401]);
  expect(await statusOf(bystander)).toBe(200);
});

test("answers 404 for the sessions of a customer", async () => {
  const boss = await makeSignedIn("owner");
  const { id } = await addPerson(product, { role: null });
  for (const endpoint of [listTeamMemberSessions, listTeamMemberSignIns, endTeamMemberSessions])
    expect((await call(boss, endpoint, { params: { id } })).status).toBe(404);
});

const shown = (items: Awaited<ReturnType<typeof signInsOf>>) =>
  items.map(({ how, outcome }) => `${how}: ${outcome}`);

test("logs every attempt with its method and outcome, newest first", async () => {
  const person = await addPersonWithCode(product, clock);
  const { email } = person;
  await attemptSignIn(product, { email, password: "wrong" });
  const answer = async (code: string) => {
    const challenge = await startCode(product, email);
    return call(null, signInWithCode, { body: { challenge, code }, address: newAddress() });
  };
  await answer("000000");
  await answer(person.recoveryCodes[0] ?? "");
  const entered = await answer(codeAt(person.secret, clock.now()));
  expect(entered.status).toBe(200);
  const items = await signInsOf({ cookie: cookieOf(entered) });
  expect(shown(items)).toEqual([
    "code: ok",
    "recovery code: ok",
    "code: wrong code",
    "password: wrong credentials",
    "password: ok",
  ]);
  expect(items[0]?.at).toBe(new Date(clock.now()).toISOString());
});

test("marks the first sign-in with a new browser", async () => {
  const { email } = await addPerson(product);
  const first = await enter(product, email);
  const again = await attemptSignIn(product, { email, cookie: first.cookie });
  const items = await signInsOf({ cookie: cookieOf(again) });
  expect(items.map(({ newDevice }) => newDevice)).toEqual([false, true]);
});

test("logs blocked attempts once a minute", async () => {
  const boss = await makeSignedIn("owner");
  const { id, email } = await addPerson(product);
  for (let tried = 0; tried < 12; tried += 1)
    await attemptSignIn(product, { email, password: "wrong" });
  const read = async () =>
    shown((await call(boss, listTeamMemberSignIns, { params: { id } })).body.items);
  expect(await read()).toEqual([
    "password: blocked",
    ...Array(5).fill("password: wrong credentials"),
  ]);
  clock.forward(minute);
  expect((await attemptSignIn(product, { email })).status).toBe(200);
  expect((await read())[0]).toBe("password: ok");
});

test("T15 stores unknown addresses only as keyed hashes", async () => {
  const unknown = `${randomUUID()}@example.com`;
  const customer = await addPerson(product, { role: null });
  for (const email of [unknown, customer.email])
    await attemptSignIn(product, { email, password: "wrong" });
  const { rows } = await owner.query(
    `select user_id, encode(email_hash, 'hex') as hash, s::text as line from sign_ins s
     order by id desc limit 2`,
  );
  expect(rows.map(({ user_id }) => user_id)).toEqual([null, null]);
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
  for (const { line, hash } of rows) {
    expect(line).not.toContain("@");
    for (const email of [unknown, customer.email]) {
      const { rows: plain } = await owner.query(
        "select encode(sha256(convert_to($1, 'UTF8')), 'hex') as hash",
        [email],
      );
      expect(hash).not.toBe(plain[0].hash);
    }
  }
});

test("logs an unknown passkey without a user", async () => {
  const response = {
    id: randomUUID(),
    rawId: "x",
    type: "public-key" as const,
    clientExtensionResults: {},
    response: {},
  };
  const body = { challenge: "A".repeat(43), response };
  expect((await call(null, signInWithPasskey, { body, address: "192.0.2.9" })).status).toBe(401);
  const { rows } = await owner.query(
    "select how, outcome, user_id, email_hash from sign_ins where address = '192.0.2.9'",
  );
  expect(rows).toEqual([
    { how: "passkey", outcome: "wrong credentials", user_id: null, email_hash: null },
  ]);
});

test("pages through the log", async () => {
  const person = await makeSignedIn("viewer");
  await owner.query(
    `insert into sign_ins (id, user_id, how, outcome, address, device, new_device, at)
     select uuid_v7(now() + n * interval '1 second'), $1, 'password', 'ok', n::text, '', false, now()
     from generate_series(1, 45) n`,
    [person.id],
  );
  const addresses: string[] = [];
  let next: string | null = null;
  do {
    const query: { after?: string } = next === null ? {} : { after: next };
    const { body } = await call(person, listSignIns, { query });
    addresses.push(...body.items.map(({ address }) => address));
    next = body.next;
  } while (next !== null);
  expect(addresses).toEqual(Array.from({ length: 45 }, (_, place) => String(45 - place)));
});

test("never changes the log, and deletes entries only after 400 days", async () => {
  const { id } = await makeSignedIn("viewer");
  const ages = ["399 days", "401 days"];
  for (const age of ages)
    await owner.query(
      `insert into sign_ins (user_id, how, outcome, address, device, new_device, at)
       values ($1, 'password', 'ok', $2, '', false, now() - $2::text::interval)`,
      [id, age],
    );
  for (const statement of ["update sign_ins set outcome = 'ok'", "delete from sign_ins"]) {
    const attempt = owner.query(`set role purser_app; ${statement}`);
    await expect(attempt).rejects.toThrow("permission denied");
    await owner.query("reset role");
  }
  const kept = async () => {
    while ((await removeOldSignIns(platform.db, 1)) > 0);
    const { rows } = await owner.query("select address from sign_ins where user_id = $1", [id]);
    return rows.map(({ address }) => address);
  };
  expect(await kept()).toEqual(["399 days"]);
  // The database doesn't take less than 90 days, whatever is stored.
  await owner.query(`update settings set retention = '{"signInDays": 1}'`);
  await owner.query("update sign_ins set at = now() - interval '89 days' where user_id = $1", [id]);
  expect(await kept()).toEqual(["399 days"]);
  await owner.query("update sign_ins set at = now() - interval '91 days' where user_id = $1", [id]);
  expect(await kept()).toEqual([]);
  await owner.query("update settings set retention = '{}'");
});
