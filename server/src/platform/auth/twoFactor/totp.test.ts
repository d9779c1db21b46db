import { readdir, readFile } from "node:fs/promises";
import { changePassword } from "@purser/contract/auth/passwords";
import { getSession } from "@purser/contract/auth/session";
import { signInWithCode } from "@purser/contract/auth/signIn";
import { confirmTotp, removeTotp, startTotp } from "@purser/contract/auth/twoFactor";
import { endpoints } from "@purser/contract/endpoints";
import { expect, test } from "vitest";
import { z } from "zod";
import { testProduct } from "#testing.ts";
import { hashToken } from "../secrets.ts";
import {
  addPerson,
  addPersonWithCode,
  attemptSignIn,
  codeAt,
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
const { call, owner, startSession } = product;

const answer = (challenge: string, code: string, cookie = "") =>
  call({ cookie }, signInWithCode, { body: { challenge, code }, address: newAddress() });

/** Waiting challenges of one account, started one by one because of the limit of attempts. */
const startCodes = async (email: string, count: number) => {
  const challenges = [];
  while (challenges.length < count) challenges.push(await startCode(product, email));
  return challenges;
};

/** A code that is none of the three which are right around now. */
const wrongCode = (secret: string) => {
  const right = [-30, 0, 30].map((seconds) => codeAt(secret, clock.now() + seconds * 1000));
  return ["000000", "000001", "000002", "000003"].find((code) => !right.includes(code)) ?? "";
};

test("T17 gives no session for the password alone of a user with an authenticator", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const first = await attemptSignIn(product, { email });
  expect(first.body.state).toBe("second factor");
  expect(first.cookies).toEqual([]);
  const challenge = first.body.state === "second factor" ? first.body.challenge : "";
  // The challenge doesn't work as a session cookie.
  expect((await call({ cookie: `__Host-purser=${challenge}` }, getSession)).status).toBe(401);
  const second = await answer(challenge, codeAt(secret, clock.now()));
  expect(second.status).toBe(200);
  expect((await call({ cookie: cookieOf(second) }, getSession)).body.twoFactor).toBe(true);
  for (const { value } of second.cookies) expect(second.text).not.toContain(value);
});

test("T13 T17 ends the session that the browser presented when finishing with a code", async () => {
  const { email, secret, cookie } = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, email);
  expect((await call({ cookie }, getSession)).status).toBe(200);
  expect((await answer(challenge, codeAt(secret, clock.now()), cookie)).status).toBe(200);
  expect((await call({ cookie }, getSession)).status).toBe(401);
});

test("T17 accepts a code once, and no older code after it", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const [one = "", two = "", three = "", four = ""] = await startCodes(email, 4);
  const code = codeAt(secret, clock.now());
  expect((await answer(one, code)).status).toBe(200);
  expect((await answer(two, code)).status).toBe(401);
  expect((await answer(three, codeAt(secret, clock.now() - 30_000))).status).toBe(401);
  clock.forward(30);
  expect((await answer(four, codeAt(secret, clock.now()))).status).toBe(200);
});

test("T17 refuses the code that confirmed the authenticator", async () => {
  const person = await addPerson(product);
  const { cookie } = await enterConfirmed(product, person.email);
  const { secret } = (await call({ cookie }, startTotp, { body: {} })).body;
  const code = codeAt(secret, clock.now());
  expect((await call({ cookie }, confirmTotp, { body: { code } })).status).toBe(200);
  expect((await answer(await startCode(product, person.email), code)).status).toBe(401);
});

test("T17 accepts codes one step early or late", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const [older = "", newer = "", early = "", late = ""] = await startCodes(email, 4);
  const at = (seconds: number) => codeAt(secret, clock.now() + seconds * 1000);
  expect((await answer(older, at(-60))).status).toBe(401);
  expect((await answer(newer, at(60))).status).toBe(401);
  expect((await answer(early, at(-30))).status).toBe(200);
  expect((await answer(late, at(30))).status).toBe(200);
});

test("T17 accepts one of 20 identical codes at the same time", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const challenges = await startCodes(email, 20);
  const code = codeAt(secret, clock.now());
  const answers = await Promise.all(challenges.map((challenge) => answer(challenge, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ cookies }) => cookies.length > 0)).toHaveLength(1);
  for (const { status } of answers) expect([200, 401, 429]).toContain(status);
});

test("T17 accepts one of 20 answers to a challenge at the same time", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, email);
  const code = codeAt(secret, clock.now());
  const answers = await Promise.all(Array.from({ length: 20 }, () => answer(challenge, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("T17 allows five attempts per challenge, then refuses the correct code", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, email);
  const wrong = wrongCode(secret);
  for (let tried = 0; tried < 5; tried += 1)
    expect((await answer(challenge, wrong)).status).toBe(401);
  const code = codeAt(secret, clock.now());
  expect((await answer(challenge, code)).status).toBe(401);
  expect((await answer(await startCode(product, email), code)).status).toBe(200);
});

test("T17 checks five of 20 wrong codes for a challenge at the same time", async () => {
  const { id, email, secret } = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, email);
  const wrong = wrongCode(secret);
  await Promise.all(Array.from({ length: 20 }, () => answer(challenge, wrong)));
  const { rows } = await owner.query(
    "select failures from tries where subject = sha256(convert_to('code:' || $1, 'UTF8'))",
    [id],
  );
  expect(rows).toEqual([{ failures: 5 }]);
});

test("T17 accepts a challenge for five minutes", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const [timely = "", late = ""] = await startCodes(email, 2);
  clock.forward(5 * minute - 1);
  expect((await answer(timely, codeAt(secret, clock.now()))).status).toBe(200);
  clock.forward(1);
  expect((await answer(late, codeAt(secret, clock.now() + 30_000))).status).toBe(401);
});

test("T17 blocks the account for 15 minutes after ten wrong codes, from any challenge", async () => {
  const { email, secret, recoveryCodes } = await addPersonWithCode(product, clock);
  const wrong = wrongCode(secret);
  const challenges = await startCodes(email, 4);
  const statuses = [];
  for (const challenge of challenges.slice(0, 2))
    for (let tried = 0; tried < 5; tried += 1)
      statuses.push((await answer(challenge, wrong)).status);
  expect(statuses).toEqual(Array(10).fill(401));
  const refused = await answer(challenges[2] ?? "", codeAt(secret, clock.now()));
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "900"]);
  expect((await answer(challenges[3] ?? "", recoveryCodes[0] ?? "")).status).toBe(429);

  clock.forward(15 * minute - 1);
  const early = await startCode(product, email);
  expect((await answer(early, codeAt(secret, clock.now()))).status).toBe(429);
  clock.forward(1);
  expect((await answer(early, codeAt(secret, clock.now()))).status).toBe(200);
});

test("T17 checks at most ten guesses over 20 challenges at the same time", async () => {
  const { email, secret } = await addPersonWithCode(product, clock);
  const wrong = wrongCode(secret);
  const challenges = await startCodes(email, 20);
  const answers = await Promise.all(challenges.map((challenge) => answer(challenge, wrong)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
});

test("T17 accepts each of the ten recovery codes once, even for 20 at the same time", async () => {
  const { email, recoveryCodes } = await addPersonWithCode(product, clock);
  const stranger = await addPersonWithCode(product, clock);
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes.slice(1))
    expect((await answer(await startCode(product, email), code)).status).toBe(200);
  const used = await answer(await startCode(product, email), recoveryCodes[1] ?? "");
  expect(used.status).toBe(401);
  const foreign = await answer(await startCode(product, stranger.email), recoveryCodes[0] ?? "");
  expect(foreign.status).toBe(401);

  const challenges = await startCodes(email, 20);
  const last = recoveryCodes[0] ?? "";
  const answers = await Promise.all(challenges.map((challenge) => answer(challenge, last)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("T17 an authenticator is set up and removed only with a recent proof", async () => {
  const { email } = await addPerson(product);
  const { cookie } = await enter(product, email);
  const person = await addPersonWithCode(product, clock);
  expect((await call({ cookie }, startTotp, { body: {} })).status).toBe(403);
  const stale = { cookie: await startSession(person.id, "stale") };
  expect((await call(stale, removeTotp, { body: {} })).status).toBe(403);
  expect((await call(person, startTotp, { body: {} })).status).toBe(409);
  expect((await attemptSignIn(product, { email: person.email })).body.state).toBe("second factor");
  expect((await call(person, removeTotp, { body: {} })).status).toBe(204);
  expect((await attemptSignIn(product, { email: person.email })).body.state).toBe("signed in");
});

test("T17 changing the password leaves the authenticator on", async () => {
  const person = await addPersonWithCode(product, clock);
  const chosen = "seventeen copper lanterns";
  const body = { current: password, password: chosen };
  expect((await call(person, changePassword, { body })).status).toBe(204);
  const first = await attemptSignIn(product, { email: person.email, password: chosen });
  expect(first.body.state).toBe("second factor");
});

test("T17 lists all ways in: no other endpoint can return a session", async () => {
  const signInMethods = Object.entries(endpoints)
    .filter(([, { reply }]) => {
      const schema = reply && z.toJSONSchema(reply, { io: "input", unrepresentable: "any" });
      return JSON.stringify(schema ?? {}).includes('"signed in"');
    })
    .map(([name]) => name);
  expect(signInMethods.sort()).toEqual([
    "signIn",
    "signInWithCode",
    "signInWithPasskey",
    "signInWithSso",
  ]);

  // The contract could miss a way in, so the code is searched too.
  const source = new URL("../../../", import.meta.url);
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.endsWith("testing.ts"),
  );
  const starting: Record<string, number> = {};
  for (const file of files) {
    const text = await readFile(new URL(file, source), "utf8");
    const count = text.match(/\bstartSession\(|setCookie\(\s*cookieName|insertInto\("sessions"\)/g);
    if (count) starting[file] = count.length;
  }
  expect(starting).toEqual({
    // The link of `purser demo`: once, on this machine, with demo data only (demo.test.ts).
    "commands/demoSignIn.ts": 1,
    "platform/auth/sso/ssoRoutes.ts": 1,
    // Signing in, and replacing the token of a session whose user confirmed their identity.
    "platform/auth/sessions/sessions.ts": 4,
    "platform/auth/signIn/signInRoutes.ts": signInMethods.length - 1,
  });
});

test("T17 recovery codes have at least 112 bits, and those of earlier versions still work", async () => {
  const person = await addPersonWithCode(product, clock);
  const characters = 31;
  for (const code of person.recoveryCodes) {
    expect(code).toMatch(/^([a-z2-9]{5}-){4}[a-z2-9]{5}$/);
    expect(code.replaceAll("-", "").length * Math.log2(characters)).toBeGreaterThan(112);
  }
  const earlier = "abcde-fghjk";
  await product.owner.query("insert into recovery_codes (user_id, code_hash) values ($1, $2)", [
    person.id,
    hashToken(`${person.id}:${earlier}`),
  ]);
  const body = { challenge: await startCode(product, person.email), code: earlier };
  expect((await product.call(null, signInWithCode, { body, address: newAddress() })).status).toBe(
    200,
  );
});
