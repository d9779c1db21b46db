import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
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
  minute,
  movableClock,
  newAddress,
  password,
} from "../testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner } = product;

const origin = "http://localhost:3000";

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

const head = (major: number, value: number) => {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
};

const cbor = (value: Cbor): Buffer => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
  return Buffer.concat([head(2, value.length), value]);
};

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

const flagBits = { present: 0x01, verified: 0x04, attested: 0x40 };

type Ceremony = { challenge: string; options: Record<string, unknown> };
type Bent = {
  verified?: boolean;
  counter?: number;
  origin?: string;
  site?: string;
  type?: string;
  signer?: KeyObject;
  unsigned?: boolean;
};

const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

/** An authenticator in software, so that a test can also make it lie. It counts its uses. */
const createAuthenticator = () => {
  const { publicKey, privateKey } = newKeys();
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = randomBytes(32);
  const id = credential.toString("base64url");
  const coseKey = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  let uses = 0;

  const dataOf = ({ verified = true, site = "localhost", counter }: Bent, attested?: Buffer) => {
    const { present, verified: uv, attested: at } = flagBits;
    const flags = present | (verified ? uv : 0) | (attested ? at : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? uses);
    return Buffer.concat([sha256(site), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  };
  const clientOf = ({ options }: Ceremony, type: string, bent: Bent) =>
    Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge: options["challenge"],
        origin: bent.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const answered = (response: Record<string, string>) => ({
    id,
    rawId: id,
    type: "public-key" as const,
    clientExtensionResults: {},
    response,
  });

  return {
    id,
    register: (ceremony: Ceremony, bent: Bent = {}) => {
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credential.length]),
        credential,
        cbor(coseKey),
      ]);
      const object = new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", dataOf(bent, attested)],
      ]);
      return answered({
        clientDataJSON: clientOf(ceremony, "webauthn.create", bent).toString("base64url"),
        attestationObject: cbor(object).toString("base64url"),
      });
    },
    assert: (ceremony: Ceremony, bent: Bent = {}) => {
      uses += 1;
      const client = clientOf(ceremony, "webauthn.get", bent);
      const data = dataOf(bent);
      const key = bent.signer ?? privateKey;
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), key);
      return answered({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: bent.unsigned ? "" : signature.toString("base64url"),
      });
    },
  };
};
type Answer = ReturnType<ReturnType<typeof createAuthenticator>["assert"]>;

const startAdding = async (person: { cookie: string }) => {
  const started = await call(person, startPasskey, { body: { password }, address: newAddress() });
  expect(started.status).toBe(200);
  return started.body;
};
const finishAdding = (person: { cookie: string }, challenge: string, response: Answer) =>
  call(person, addPasskey, { body: { challenge, name: "Key", response } });

const startSigningIn = async () => {
  const started = await call(null, startPasskeySignIn, { body: {}, address: newAddress() });
  expect(started.status).toBe(200);
  return started.body;
};
const finishSigningIn = (challenge: string, response: Answer, cookie = "") =>
  call({ cookie }, signInWithPasskey, { body: { challenge, response }, address: newAddress() });

const addPasskeyTo = async (person: { cookie: string }) => {
  const authenticator = createAuthenticator();
  const ceremony = await startAdding(person);
  const response = authenticator.register(ceremony);
  const added = await finishAdding(person, ceremony.challenge, response);
  expect(added.status).toBe(201);
  return { authenticator, passkeyId: added.body.id };
};

/** A person who has added a passkey, and the authenticator that holds it. */
const addPersonWithPasskey = async () => {
  const person = await addPerson(product);
  const { cookie } = await enter(product, person.email);
  return { ...person, cookie, ...(await addPasskeyTo({ cookie })) };
};

type Refused = { status: number; body: Record<string, unknown>; cookies: unknown[] };

const expectRefused = ({ status, body, cookies }: Refused) => {
  expect([status, body["type"]]).toEqual([401, "urn:purser:problem:passkey_refused"]);
  expect(cookies).toEqual([]);
};

test("T18 both ceremonies demand that the authenticator verifies the person, for our site only", async () => {
  const { cookie } = await enter(product, (await addPerson(product)).email);
  const adding = await startAdding({ cookie });
  expect(adding.options).toMatchObject({
    rp: { id: "localhost" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  // What a request says about its own host changes nothing.
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

test("T18 a passkey signs its person in, past the second factor since it is both factors", async () => {
  const person = await addPersonWithCode(product, clock);
  const { authenticator } = await addPasskeyTo(person);
  const ceremony = await startSigningIn();
  const entered = await finishSigningIn(ceremony.challenge, authenticator.assert(ceremony));
  expect(entered.status).toBe(200);
  expect(entered.body.me).toMatchObject({ id: person.id, secondFactor: true });
  for (const { value } of entered.cookies) expect(entered.text).not.toContain(value);
  expect((await call({ cookie: cookieOf(entered) }, getSession)).status).toBe(200);
});

test("T13 T18 signing in with a passkey ends the session that the browser presented", async () => {
  const { authenticator, cookie } = await addPersonWithPasskey();
  const ceremony = await startSigningIn();
  const answer = authenticator.assert(ceremony);
  expect((await finishSigningIn(ceremony.challenge, answer, cookie)).status).toBe(200);
  expect((await call({ cookie }, getSession)).status).toBe(401);
});

const lies: [string, Bent][] = [
  ["does not say that it verified the person", { verified: false }],
  ["was made for another site's page", { origin: "https://localhost.evil.example" }],
  ["was made for our host at another port", { origin: "http://localhost:3001" }],
  ["was made for another site's passkeys", { site: "evil.example" }],
  ["is of another ceremony", { type: "webauthn.create" }],
  ["is signed by nobody", { unsigned: true }],
  ["is signed by somebody else", { signer: newKeys().privateKey }],
];

test.each(lies)("T18 an answer that %s is refused", async (_, bent) => {
  const { authenticator } = await addPersonWithPasskey();
  const before = await startSigningIn();
  const right = await finishSigningIn(before.challenge, authenticator.assert(before));
  expect(right.status).toBe(200);
  const ceremony = await startSigningIn();
  expectRefused(await finishSigningIn(ceremony.challenge, authenticator.assert(ceremony, bent)));
});

test("T18 a counter that stands still or runs back is a copy, and is refused", async () => {
  const { authenticator, passkeyId } = await addPersonWithPasskey();
  const ask = async (counter: number) => {
    const ceremony = await startSigningIn();
    return finishSigningIn(ceremony.challenge, authenticator.assert(ceremony, { counter }));
  };
  expect((await ask(7)).status).toBe(200);
  expectRefused(await ask(7));
  expectRefused(await ask(6));
  expectRefused(await ask(0));
  expect((await ask(8)).status).toBe(200);
  const { rows } = await owner.query("select counter from passkeys where id = $1", [passkeyId]);
  expect(Number(rows[0].counter)).toBe(8);
});

test("T18 of two copies with the same counter at the same moment one enters", async () => {
  const { authenticator } = await addPersonWithPasskey();
  const ceremonies = [];
  while (ceremonies.length < 20) ceremonies.push(await startSigningIn());
  const answers = await Promise.all(
    ceremonies.map((ceremony) =>
      finishSigningIn(ceremony.challenge, authenticator.assert(ceremony, { counter: 5 })),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("T18 an authenticator that never counts may sign in again and again", async () => {
  const { authenticator } = await addPersonWithPasskey();
  for (let use = 0; use < 2; use += 1) {
    const ceremony = await startSigningIn();
    const answer = authenticator.assert(ceremony, { counter: 0 });
    expect((await finishSigningIn(ceremony.challenge, answer)).status).toBe(200);
  }
});

test("T18 a challenge is answered once, in time, and only where it was given", async () => {
  const { authenticator, cookie } = await addPersonWithPasskey();
  const used = await startSigningIn();
  const answer = authenticator.assert(used);
  expect((await finishSigningIn(used.challenge, answer)).status).toBe(200);
  expectRefused(await finishSigningIn(used.challenge, answer));

  const failed = await startSigningIn();
  expectRefused(
    await finishSigningIn(failed.challenge, authenticator.assert(failed, { verified: false })),
  );
  expectRefused(await finishSigningIn(failed.challenge, authenticator.assert(failed)));

  const [one, two] = [await startSigningIn(), await startSigningIn()];
  expectRefused(await finishSigningIn(one.challenge, authenticator.assert(two)));
  const unknown = randomBytes(32).toString("base64url");
  expectRefused(await finishSigningIn(unknown, authenticator.assert(two)));

  const adding = await startAdding({ cookie });
  expectRefused(await finishSigningIn(adding.challenge, authenticator.assert(adding)));

  const late = await startSigningIn();
  clock.forward(5 * minute);
  expectRefused(await finishSigningIn(late.challenge, authenticator.assert(late)));
});

test("T18 of 20 who send one answer at the same moment one enters", async () => {
  const { authenticator } = await addPersonWithPasskey();
  const ceremony = await startSigningIn();
  const answer = authenticator.assert(ceremony, { counter: 0 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => finishSigningIn(ceremony.challenge, answer)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("T18 an unknown passkey, a removed one and one of a suspended person are refused", async () => {
  const stranger = createAuthenticator();
  const first = await startSigningIn();
  expectRefused(await finishSigningIn(first.challenge, stranger.assert(first)));

  const { authenticator, cookie, passkeyId } = await addPersonWithPasskey();
  const removed = await call({ cookie }, removePasskey, { params: { id: passkeyId } });
  expect(removed.status).toBe(204);
  const second = await startSigningIn();
  expectRefused(await finishSigningIn(second.challenge, authenticator.assert(second)));

  const suspended = await addPersonWithPasskey();
  await owner.query("update users set status = 'suspended' where id = $1", [suspended.id]);
  const third = await startSigningIn();
  expectRefused(await finishSigningIn(third.challenge, suspended.authenticator.assert(third)));
});

test("T18 a passkey is added only with the password and a verified person, by who began it", async () => {
  const person = await addPersonWithCode(product, clock);
  const other = await addPersonWithCode(product, clock);
  const wrong = await call(person, startPasskey, { body: { password: "not the one" } });
  expect(wrong.status).toBe(401);

  const refused = async (bent: Bent) => {
    const ceremony = await startAdding(person);
    const response = createAuthenticator().register(ceremony, bent);
    expectRefused(await finishAdding(person, ceremony.challenge, response));
  };
  await refused({ verified: false });
  await refused({ origin: "https://evil.example" });
  await refused({ site: "evil.example" });
  await refused({ type: "webauthn.get" });

  const begun = await startAdding(person);
  const response = createAuthenticator().register(begun);
  expect((await finishAdding(other, begun.challenge, response)).status).toBe(401);
  expect((await finishAdding(person, begun.challenge, response)).status).toBe(401);
  expect((await call(person, listPasskeys)).body.items).toEqual([]);
});

test("T18 one authenticator's passkey cannot be added twice, nor by a second person", async () => {
  const { authenticator } = await addPersonWithPasskey();
  const { cookie } = await enter(product, (await addPerson(product)).email);
  const ceremony = await startAdding({ cookie });
  const again = authenticator.register(ceremony);
  expect((await finishAdding({ cookie }, ceremony.challenge, again)).status).toBe(409);
});

test("T18 nobody removes another person's passkey", async () => {
  const { passkeyId } = await addPersonWithPasskey();
  const { cookie } = await addPersonWithPasskey();
  const removed = await call({ cookie }, removePasskey, { params: { id: passkeyId } });
  expect(removed.status).toBe(404);
});
