import { randomBytes } from "node:crypto";
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  startPasskey,
} from "@purser/contract/auth/passkeys";
import { getSession } from "@purser/contract/auth/session";
import { signInWithPasskey, startPasskeySignIn } from "@purser/contract/auth/signIn";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import {
  addPerson,
  addPersonWithCode,
  cookieOf,
  enter,
  enterConfirmed,
  minute,
  movableClock,
  newAddress,
} from "../testing.ts";
import { type Answer, type Bent, createAuthenticator, newKeys } from "./authenticator.testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner } = product;

const startRegistration = async (person: { cookie: string }) => {
  const started = await call(person, startPasskey, { body: {}, address: newAddress() });
  expect(started.status).toBe(200);
  return started.body;
};
const finishRegistration = (person: { cookie: string }, challenge: string, response: Answer) =>
  call(person, addPasskey, { body: { challenge, name: "Key", response } });

const startAuthentication = async () =>
  (await call(null, startPasskeySignIn, { body: {}, address: newAddress() })).body;
const finishAuthentication = (challenge: string, response: Answer, cookie = "") =>
  call({ cookie }, signInWithPasskey, { body: { challenge, response }, address: newAddress() });

const addPasskeyTo = async (person: { cookie: string }) => {
  const authenticator = createAuthenticator();
  const ceremony = await startRegistration(person);
  const response = authenticator.register(ceremony);
  const added = await finishRegistration(person, ceremony.challenge, response);
  expect(added.status).toBe(201);
  return { authenticator, passkeyId: added.body.id };
};

/** A user with a passkey, and its authenticator. */
const addPersonWithPasskey = async () => {
  const person = await addPerson(product);
  const { cookie } = await enterConfirmed(product, person.email);
  return { ...person, cookie, ...(await addPasskeyTo({ cookie })) };
};

type Refused = { status: number; body: Record<string, unknown>; cookies: unknown[] };

const expectRefused = ({ status, body, cookies }: Refused) => {
  expect([status, body["type"]]).toEqual([401, "urn:purser:problem:passkey_refused"]);
  expect(cookies).toEqual([]);
};

test("T18 requires user verification for our site only, in both ceremonies", async () => {
  const { cookie } = await enterConfirmed(product, (await addPerson(product)).email);
  const adding = await startRegistration({ cookie });
  expect(adding.options).toMatchObject({
    rp: { id: "localhost" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  // The host headers of the request have no effect.
  const signingIn = await call(null, startPasskeySignIn, {
    body: {},
    address: newAddress(),
    headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
  });
  expect(signingIn.body.options).toMatchObject({
    rpId: "localhost",
    userVerification: "required",
  });
});

test("T18 signs in with a passkey without a code, because it is both factors", async () => {
  const person = await addPersonWithCode(product, clock);
  const { authenticator } = await addPasskeyTo(person);
  const ceremony = await startAuthentication();
  const entered = await finishAuthentication(ceremony.challenge, authenticator.assert(ceremony));
  expect(entered.status).toBe(200);
  expect(entered.body.me).toMatchObject({ id: person.id, twoFactor: true });
  for (const { value } of entered.cookies) expect(entered.text).not.toContain(value);
  expect((await call({ cookie: cookieOf(entered) }, getSession)).status).toBe(200);
});

test("T13 T18 ends the session that the browser presented when signing in with a passkey", async () => {
  const { authenticator, cookie } = await addPersonWithPasskey();
  const ceremony = await startAuthentication();
  const answer = authenticator.assert(ceremony);
  expect((await finishAuthentication(ceremony.challenge, answer, cookie)).status).toBe(200);
  expect((await call({ cookie }, getSession)).status).toBe(401);
});

const wrongResponses: [string, Bent][] = [
  ["does not state that it verified the user", { verified: false }],
  ["was made for another site's page", { origin: "https://localhost.evil.example" }],
  ["was made for our host at another port", { origin: "http://localhost:3001" }],
  ["was made for another site's passkeys", { site: "evil.example" }],
  ["is of another ceremony", { type: "webauthn.create" }],
  ["has no signature", { unsigned: true }],
  ["is signed with another key", { signer: newKeys().privateKey }],
];

test.each(wrongResponses)("T18 refuses a response that %s", async (_, bent) => {
  const { authenticator } = await addPersonWithPasskey();
  const before = await startAuthentication();
  const right = await finishAuthentication(before.challenge, authenticator.assert(before));
  expect(right.status).toBe(200);
  const ceremony = await startAuthentication();
  expectRefused(
    await finishAuthentication(ceremony.challenge, authenticator.assert(ceremony, bent)),
  );
});

test("T18 refuses a counter that does not grow, because the authenticator was copied", async () => {
  const { authenticator, passkeyId } = await addPersonWithPasskey();
  const ask = async (counter: number) => {
    const ceremony = await startAuthentication();
    return finishAuthentication(ceremony.challenge, authenticator.assert(ceremony, { counter }));
  };
  expect((await ask(7)).status).toBe(200);
  expectRefused(await ask(7));
  expectRefused(await ask(6));
  expectRefused(await ask(0));
  expect((await ask(8)).status).toBe(200);
  const { rows } = await owner.query("select counter from passkeys where id = $1", [passkeyId]);
  expect(Number(rows[0].counter)).toBe(8);
});

test("T18 accepts one of 20 copies with the same counter at the same time", async () => {
  const { authenticator } = await addPersonWithPasskey();
  const ceremonies = [];
  while (ceremonies.length < 20) ceremonies.push(await startAuthentication());
  const answers = await Promise.all(
    ceremonies.map((ceremony) =>
      finishAuthentication(ceremony.challenge, authenticator.assert(ceremony, { counter: 5 })),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("T18 accepts an authenticator without a counter more than once", async () => {
  const { authenticator } = await addPersonWithPasskey();
  for (let use = 0; use < 2; use += 1) {
    const ceremony = await startAuthentication();
    const answer = authenticator.assert(ceremony, { counter: 0 });
    expect((await finishAuthentication(ceremony.challenge, answer)).status).toBe(200);
  }
});

test("T18 accepts a challenge once, in time and for its own purpose", async () => {
  const { authenticator, cookie } = await addPersonWithPasskey();
  const used = await startAuthentication();
  const answer = authenticator.assert(used);
  expect((await finishAuthentication(used.challenge, answer)).status).toBe(200);
  expectRefused(await finishAuthentication(used.challenge, answer));

  const failed = await startAuthentication();
  expectRefused(
    await finishAuthentication(failed.challenge, authenticator.assert(failed, { verified: false })),
  );
  expectRefused(await finishAuthentication(failed.challenge, authenticator.assert(failed)));

  const [one, two] = [await startAuthentication(), await startAuthentication()];
  expectRefused(await finishAuthentication(one.challenge, authenticator.assert(two)));
  const unknown = randomBytes(32).toString("base64url");
  expectRefused(await finishAuthentication(unknown, authenticator.assert(two)));

  const adding = await startRegistration({ cookie });
  expectRefused(await finishAuthentication(adding.challenge, authenticator.assert(adding)));

  const late = await startAuthentication();
  clock.forward(5 * minute);
  expectRefused(await finishAuthentication(late.challenge, authenticator.assert(late)));
});

test("T18 accepts one of 20 identical responses at the same time", async () => {
  const { authenticator } = await addPersonWithPasskey();
  const ceremony = await startAuthentication();
  const answer = authenticator.assert(ceremony, { counter: 0 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => finishAuthentication(ceremony.challenge, answer)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("T18 refuses unknown and removed passkeys and those of suspended users", async () => {
  const stranger = createAuthenticator();
  const first = await startAuthentication();
  expectRefused(await finishAuthentication(first.challenge, stranger.assert(first)));

  const { authenticator, cookie, passkeyId } = await addPersonWithPasskey();
  const removed = await call({ cookie }, removePasskey, { params: { id: passkeyId } });
  expect(removed.status).toBe(204);
  const second = await startAuthentication();
  expectRefused(await finishAuthentication(second.challenge, authenticator.assert(second)));

  const suspended = await addPersonWithPasskey();
  await owner.query("update users set status = 'suspended' where id = $1", [suspended.id]);
  const third = await startAuthentication();
  expectRefused(await finishAuthentication(third.challenge, suspended.authenticator.assert(third)));
});

test("T18 adds a passkey only with a recent proof and user verification, for the user who started", async () => {
  const person = await addPersonWithCode(product, clock);
  const other = await addPersonWithCode(product, clock);
  const unproven = await enter(product, (await addPerson(product)).email);
  expect((await call(unproven, startPasskey, { body: {} })).status).toBe(403);

  const refused = async (bent: Bent) => {
    const ceremony = await startRegistration(person);
    const response = createAuthenticator().register(ceremony, bent);
    expectRefused(await finishRegistration(person, ceremony.challenge, response));
  };
  await refused({ verified: false });
  await refused({ origin: "https://evil.example" });
  await refused({ site: "evil.example" });
  await refused({ type: "webauthn.get" });

  const begun = await startRegistration(person);
  const response = createAuthenticator().register(begun);
  expect((await finishRegistration(other, begun.challenge, response)).status).toBe(401);
  expect((await finishRegistration(person, begun.challenge, response)).status).toBe(401);
  expect((await call(person, listPasskeys)).body.items).toEqual([]);
});

test("T18 refuses to add the same passkey twice, even for another user", async () => {
  const { authenticator } = await addPersonWithPasskey();
  const { cookie } = await enterConfirmed(product, (await addPerson(product)).email);
  const ceremony = await startRegistration({ cookie });
  const again = authenticator.register(ceremony);
  expect((await finishRegistration({ cookie }, ceremony.challenge, again)).status).toBe(409);
});

test("T18 refuses to remove the passkey of another user", async () => {
  const { passkeyId } = await addPersonWithPasskey();
  const { cookie } = await addPersonWithPasskey();
  const removed = await call({ cookie }, removePasskey, { params: { id: passkeyId } });
  expect(removed.status).toBe(404);
});
