import { randomUUID } from "node:crypto";
import { listSessions, listSignIns } from "@purser/contract/auth/activeSessions";
import { confirmWithPassword } from "@purser/contract/auth/confirmation";
import { listPasskeys, removePasskey, startPasskey } from "@purser/contract/auth/passkeys";
import { getSession } from "@purser/contract/auth/session";
import { signInWithCode } from "@purser/contract/auth/signIn";
import { confirmTotp, removeTotp, startTotp } from "@purser/contract/auth/twoFactor";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { getTeamMember, listTeam } from "@purser/contract/users/team";
import { beforeEach, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { deleteExpired } from "../deleteExpired.ts";
import {
  addPerson,
  addPersonWithCode,
  attemptSignIn,
  codeAt,
  confirmPassword,
  cookieOf,
  enter,
  enterConfirmed,
  hour,
  movableClock,
  newAddress,
  startCode,
} from "../testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { app, call, owner, platform, signIn: makeSignedIn, startSession } = product;

type Person = { cookie: string };
const day = 24 * hour;

/** Sets the roles that require two-factor authentication, and the grace period. */
const want = (roles: string[], days = 7) =>
  owner.query("update settings set second_factor_roles = $1, second_factor_grace_days = $2", [
    roles,
    days,
  ]);
beforeEach(() => want(["admin"]));

const requirementOf = async (person: Person) =>
  (await call(person, getSession)).body.twoFactorRequirement;
const listed = async (person: Person) => {
  const { status, body } = await call(person, listTeam);
  return status === 200 ? "open" : body["type"];
};
const required = "urn:purser:problem:two_factor_required";

/** Adds a passkey directly, because these tests are about the requirement. */
const givePasskey = async (userId: string) => {
  const { rows } = await owner.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, 'Key', $2, '', 0, '{}', now()) returning id`,
    [userId, randomUUID()],
  );
  return rows[0].id as string;
};

/** Signs in again after some days, because sessions don't last that long. */
const later = async (email: string, seconds: number) => {
  clock.forward(seconds);
  return enter(product, email);
};

test("does not apply to other roles", async () => {
  const { email } = await addPerson(product, { role: "finance" });
  expect(await requirementOf(await enter(product, email))).toBeNull();
});

test("shows the deadline, allows work until then, and blocks after it", async () => {
  const { email } = await addPerson(product, { role: "admin" });
  const met = clock.now();
  const dueAt = new Date(met + 7 * day * 1000).toISOString();
  const first = await enter(product, email);
  expect(first.entered.body).toMatchObject({
    me: { twoFactorRequirement: { dueAt, isDue: false } },
  });
  expect(await listed(first)).toBe("open");
  const sixth = await later(email, 7 * day - 60);
  expect(await requirementOf(sixth)).toEqual({ dueAt, isDue: false });
  expect(await listed(sixth)).toBe("open");
  clock.forward(60);
  expect(await listed(sixth), "a session that is open at that moment, too").toBe(required);
  const after = await later(email, day);
  expect(await requirementOf(after)).toEqual({ dueAt, isDue: true });
  expect(await listed(after)).toBe(required);
});

test("starts the grace period when the requirement first applies, also during a session, and extends it", async () => {
  await want([]);
  const person = await makeSignedIn("admin");
  expect(await requirementOf(person)).toBeNull();
  await want(["admin"], 3);
  const dueAt = (days: number) => new Date(start + days * day * 1000).toISOString();
  const start = clock.now();
  expect(await requirementOf(person)).toEqual({ dueAt: dueAt(3), isDue: false });
  clock.forward(60);
  expect(await requirementOf(person)).toEqual({ dueAt: dueAt(3), isDue: false });
  await want(["admin"], 10);
  expect(await requirementOf(person)).toEqual({ dueAt: dueAt(10), isDue: false });
  await want(["admin"], 0);
  expect(await listed(person)).toBe(required);
});

test("starts a new grace period if the requirement returns", async () => {
  const { email } = await addPerson(product, { role: "admin" });
  await enter(product, email);
  await want([]);
  await deleteExpired(platform.db, platform.now());
  await want(["admin"]);
  const back = await later(email, 8 * day);
  expect(await listed(back)).toBe("open");
});

const someId = "01a1dd06-0000-7000-8000-000000000000";
const params = { id: someId, keyId: someId, sessionId: someId, name: "seal-audit" };

/** An admin whose grace period is over. */
const held = async () => {
  await want(["admin"], 0);
  const person = await makeSignedIn("admin");
  expect(await requirementOf(person)).toMatchObject({ isDue: true });
  return person;
};

const guarded = Object.entries(endpoints).filter(
  ([, { permission }]) => !["anyone", "provider", "app key"].includes(permission),
);

test("T1 answers only the endpoints that set up two-factor authentication when overdue", async () => {
  const person = await held();
  const open: string[] = [];
  for (const [name, endpoint] of guarded) {
    if (name === "signOut") continue;
    const { status, body } = await call(person, endpoint as Endpoint, { params: params as never });
    if (body?.["type"] === required) expect(status).toBe(403);
    else open.push(name);
  }
  expect(open.sort()).toEqual([
    "addPasskey",
    "confirmTotp",
    "confirmWithCode",
    "confirmWithPasskey",
    "confirmWithPassword",
    "getSession",
    "listPasskeys",
    "listSessions",
    "startPasskey",
    "startPasskeyConfirmation",
    "startTotp",
  ]);
});

test("T1 sends no payload when overdue", async () => {
  const person = await held();
  for (const url of ["/_payload.json", "/apps/_payload.json", "/account/_payload.json"]) {
    const { statusCode } = await app.inject({ url, headers: { cookie: person.cookie } });
    expect(statusCode, url).toBe(403);
  }
});

test("unblocks the session after setting up an authenticator", async () => {
  const { email } = await addPerson(product, { role: "admin" });
  await want(["admin"], 0);
  const person = await enterConfirmed(product, email);
  expect(await listed(person)).toBe(required);
  const address = newAddress();
  const { body } = await call(person, startTotp, { body: {}, address });
  const code = codeAt(body.secret, clock.now());
  expect((await call(person, confirmTotp, { body: { code }, address })).status).toBe(200);
  expect(await listed(person)).toBe("open");
  expect(await requirementOf(person)).toBeNull();
});

test("unblocks the session after adding a passkey", async () => {
  const person = await held();
  await givePasskey(person.id);
  expect((await call(person, listPasskeys)).body.items).toHaveLength(1);
  expect(await listed(person)).toBe("open");
});

test("T17 requires nothing more after a code or a recovery code", async () => {
  const person = await addPersonWithCode(product, clock);
  await owner.query("update users set role = 'admin' where id = $1", [person.id]);
  await want(["admin"], 0);
  for (const code of [codeAt(person.secret, clock.now()), person.recoveryCodes[0] ?? ""]) {
    const challenge = await startCode(product, person.email);
    const entered = await call(null, signInWithCode, { body: { challenge, code } });
    const cookie = cookieOf(entered);
    expect(await requirementOf({ cookie })).toBeNull();
    expect(await listed({ cookie })).toBe("open");
  }
});

test("T17 refuses the password alone of a user with a passkey, and logs why", async () => {
  const { id, email } = await addPerson(product, { role: "admin" });
  await givePasskey(id);
  const refused = await attemptSignIn(product, { email });
  expect([refused.status, refused.body["type"]]).toEqual([403, required]);
  expect(refused.body["detail"]).toContain("Sign in with your passkey");
  expect(refused.cookies).toEqual([]);
  const wrong = await attemptSignIn(product, { email, password: "wrong" });
  expect(wrong.status, "and says so only to who knows the password").toBe(401);
  const person = { cookie: await startSession(id) };
  const { items } = (await call(person, listSignIns)).body;
  expect(items.map(({ outcome }) => outcome)).toEqual(["wrong credentials", "refused by policy"]);
});

test("refuses to remove the last required factor, and removes one of two", async () => {
  const person = await addPersonWithCode(product, clock);
  await owner.query("update users set role = 'admin' where id = $1", [person.id]);
  const again = { cookie: await startSession(person.id) };
  const address = newAddress();
  const off = () => call(again, removeTotp, { body: {}, address });
  expect((await off()).body["type"]).toBe(required);
  const passkeyId = await givePasskey(person.id);
  expect((await off()).status).toBe(204);
  const removed = () => call(again, removePasskey, { params: { id: passkeyId } });
  expect((await removed()).body["type"]).toBe(required);
  await want([]);
  expect((await removed()).status).toBe(204);
});

test("T17 keeps one of two factors that are removed at the same time", async () => {
  const person = await makeSignedIn("admin");
  const passkeys = [await givePasskey(person.id), await givePasskey(person.id)];
  const answers = await Promise.all(
    passkeys.map((id) => call(person, removePasskey, { params: { id } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
});

test("shows owners the factors and deadlines of team members", async () => {
  const boss = await makeSignedIn("owner");
  const { id, email } = await addPerson(product, { role: "admin" });
  const read = async () => (await call(boss, getTeamMember, { params: { id } })).body;
  expect(await read()).toMatchObject({
    twoFactor: { authenticator: false, passkeys: 0 },
    twoFactorDueAt: null,
  });
  await enter(product, email);
  const dueAt = new Date(clock.now() + 7 * day * 1000).toISOString();
  expect(await read()).toMatchObject({ twoFactorDueAt: dueAt });
  await givePasskey(id);
  expect(await read()).toMatchObject({
    twoFactor: { authenticator: false, passkeys: 1 },
    twoFactorDueAt: null,
  });
});

test("requires the password to set up a factor when overdue, against stolen sessions", async () => {
  const { email } = await addPerson(product, { role: "admin" });
  await want(["admin"], 0);
  const person = await enter(product, email);
  const address = newAddress();
  const wrong = { body: { password: "wrong" }, address };
  expect((await call(person, confirmWithPassword, wrong)).status).toBe(401);
  for (const endpoint of [startTotp, startPasskey])
    expect((await call(person, endpoint, { body: {}, address })).body["type"]).toBe(
      "urn:purser:problem:proof_required",
    );
  await confirmPassword(product, person);
  for (const endpoint of [startTotp, startPasskey])
    expect((await call(person, endpoint, { body: {}, address })).status).toBe(200);
  expect((await call(person, listSessions)).status).toBe(200);
});

test("D7 refuses the password alone of every user with a passkey, whatever their role", async () => {
  await want([]);
  const { id, email } = await addPerson(product, { role: "viewer" });
  expect((await attemptSignIn(product, { email })).status).toBe(200);
  await givePasskey(id);
  const refused = await attemptSignIn(product, { email });
  expect([refused.status, refused.body["type"]]).toEqual([403, required]);
});

test("D7 after an update, users with a passkey have some days to find or remove it", async () => {
  await want([]);
  const { id, email } = await addPerson(product, { role: "viewer" });
  const passkeyId = await givePasskey(id);
  const from = new Date(clock.now() + day * 1000);
  await owner.query("update settings set passkeys_required_from = $1", [from]);
  const person = await enterConfirmed(product, email);
  const { body } = await call(person, getSession);
  expect(body.passkeyRequiredFrom).toBe(from.toISOString());
  const again = await addPerson(product, { role: "viewer" });
  await givePasskey(again.id);
  expect((await call(person, removePasskey, { params: { id: passkeyId } })).status).toBe(204);
  clock.forward(day);
  expect((await attemptSignIn(product, { email })).status).toBe(200);
  expect((await attemptSignIn(product, { email: again.email })).status).toBe(403);
  await owner.query("update settings set passkeys_required_from = null");
});
