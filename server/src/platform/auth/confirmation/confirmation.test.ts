import { listSessions } from "@purser/contract/auth/activeSessions";
import {
  checkConfirmation,
  confirmWithCode,
  confirmWithPasskey,
  confirmWithPassword,
  startPasskeyConfirmation,
} from "@purser/contract/auth/confirmation";
import { addPasskey, startPasskey } from "@purser/contract/auth/passkeys";
import { getSession } from "@purser/contract/auth/session";
import {
  signInWithCode,
  signInWithPasskey,
  startPasskeySignIn,
} from "@purser/contract/auth/signIn";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { createAuthenticator } from "../passkeys/authenticator.testing.ts";
import {
  addPerson,
  addPersonWithCode,
  codeAt,
  confirmPassword,
  cookieOf,
  enter,
  enterConfirmed,
  minute,
  movableClock,
  newAddress,
  password,
  startCode,
} from "../testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, startSession } = product;

type Person = { cookie: string };

const isProven = async (person: Person) => (await call(person, checkConfirmation)).status === 204;

const staleSession = async (userId: string) => ({ cookie: await startSession(userId, "stale") });

const addPersonWithPasskey = async () => {
  const person = await addPerson(product);
  const { cookie } = await enterConfirmed(product, person.email);
  const authenticator = createAuthenticator();
  const started = (await call({ cookie }, startPasskey, { body: {} })).body;
  const response = authenticator.register(started);
  const body = { challenge: started.challenge, name: "Key", response };
  expect((await call({ cookie }, addPasskey, { body })).status).toBe(201);
  return { ...person, cookie, authenticator };
};

test("D6 signing in with the password alone proves nothing more", async () => {
  const { email } = await addPerson(product);
  const person = await enter(product, email);
  expect(await isProven(person)).toBe(false);
  await confirmPassword(product, person);
  expect(await isProven(person)).toBe(true);
  clock.forward(10 * minute);
  expect(await isProven(person)).toBe(true);
  clock.forward(1);
  expect(await isProven(person)).toBe(false);
});

test("T13 D6 confirming replaces the token: the old one proves nothing and ends within seconds", async () => {
  const { email } = await addPerson(product);
  const person = await enter(product, email);
  const old = { cookie: person.cookie };
  await confirmPassword(product, person);
  expect(person.cookie).not.toBe(old.cookie);
  const sessions = async (by: Person) => (await call(by, listSessions)).body.items;
  expect(await sessions(person)).toMatchObject([{ current: true }]);
  // Requests that were already on their way are answered.
  expect((await call(old, getSession)).status).toBe(200);
  expect(await isProven(old)).toBe(false);
  // Confirming with it again takes nothing from the new one.
  const again = await call(old, confirmWithPassword, { body: { password }, address: newAddress() });
  expect([again.status, again.cookies]).toEqual([204, []]);
  clock.forward(11);
  expect((await call(old, getSession)).status).toBe(401);
  expect(await isProven(person)).toBe(true);
  // The maximum age of the session is that of its sign-in.
  clock.forward(12 * 60 * minute - 11);
  expect((await call(person, getSession)).status).toBe(401);
});

test("D6 signing in with a code counts as proof, in that session only", async () => {
  const { id, email, secret } = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, email);
  const code = codeAt(secret, clock.now());
  const body = { challenge, code };
  const entered = await call(null, signInWithCode, { body, address: newAddress() });
  expect(await isProven({ cookie: cookieOf(entered) })).toBe(true);
  expect(await isProven(await staleSession(id))).toBe(false);
});

test("D6 accepts a code once, also a recovery code, and limits the attempts", async () => {
  const { id, email, secret, recoveryCodes } = await addPersonWithCode(product, clock);
  const [one, two] = [await staleSession(id), await staleSession(id)];
  const code = codeAt(secret, clock.now());
  const send = (person: Person, given: string) =>
    call(person, confirmWithCode, { body: { code: given } });
  const answers = await Promise.all([send(one, code), send(two, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
  const third = await staleSession(id);
  const confirmed = await send(third, recoveryCodes[0] ?? "");
  expect(confirmed.status).toBe(204);
  expect(await isProven({ cookie: cookieOf(confirmed) })).toBe(true);
  expect((await send(third, recoveryCodes[0] ?? "")).status).toBe(401);
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1) statuses.push((await send(two, "000000")).status);
  expect(statuses.at(-1)).toBe(429);
  // Guesses in a stolen session don't keep the user from signing in.
  clock.forward(minute);
  const challenge = await startCode(product, email);
  const body = { challenge, code: codeAt(secret, clock.now()) };
  expect((await call(null, signInWithCode, { body, address: newAddress() })).status).toBe(200);
});

test("D6 the password proves nothing for a user with two-factor authentication", async () => {
  for (const { id } of [await addPersonWithCode(product, clock), await addPersonWithPasskey()]) {
    const person = await staleSession(id);
    const answer = await call(person, confirmWithPassword, { body: { password } });
    expect([answer.status, answer.body["type"]]).toEqual([409, "urn:purser:problem:wrong_state"]);
    expect(await isProven(person)).toBe(false);
  }
});

test("D6 accepts only a passkey of the user, for a challenge of their own", async () => {
  const { id, authenticator } = await addPersonWithPasskey();
  const other = await addPersonWithPasskey();
  const person = await staleSession(id);
  const start = async (by: Person) => (await call(by, startPasskeyConfirmation, { body: {} })).body;
  let cookie = "";
  const finish = async (by: Person, challenge: string, response: never) => {
    const finished = await call(by, confirmWithPasskey, { body: { challenge, response } });
    cookie = cookieOf(finished);
    return finished.status;
  };

  const foreign = await start(person);
  expect(
    await finish(person, foreign.challenge, other.authenticator.assert(foreign) as never),
  ).toBe(401);
  const theirs = await start(await staleSession(other.id));
  expect(await finish(person, theirs.challenge, authenticator.assert(theirs) as never)).toBe(401);
  const signIn = (await call(null, startPasskeySignIn, { body: {}, address: newAddress() })).body;
  expect(await finish(person, signIn.challenge, authenticator.assert(signIn) as never)).toBe(401);
  expect(await isProven(person)).toBe(false);

  const own = await start(person);
  const response = authenticator.assert(own);
  const entering = { body: { challenge: own.challenge, response }, address: newAddress() };
  expect((await call(null, signInWithPasskey, entering)).status, "is no way to sign in").toBe(401);
  const again = await start(person);
  expect(await finish(person, again.challenge, authenticator.assert(again) as never)).toBe(204);
  expect(await isProven({ cookie })).toBe(true);
});
