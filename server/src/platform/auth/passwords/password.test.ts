import { randomUUID } from "node:crypto";
import { confirmWithPassword } from "@purser/contract/auth/confirmation";
import {
  changePassword,
  forgotPassword,
  getLink,
  setPassword,
} from "@purser/contract/auth/passwords";
import { getSession } from "@purser/contract/auth/session";
import { signInWithCode } from "@purser/contract/auth/signIn";
import { inviteTeamMember, suspendTeamMember } from "@purser/contract/users/team";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import {
  addPerson,
  addPersonWithCode,
  allMailed,
  attemptSignIn,
  codeAt,
  cookieOf,
  enter,
  holdSignIn,
  hour,
  movableClock,
  newAddress,
  openMailSink,
  password,
  startCode,
  tokenIn,
} from "../testing.ts";

const clock = movableClock();
const sink = await openMailSink();
const product = await testProduct({
  clock,
  environment: { SMTP_URL: sink.url, COMPANY_NAME: "Northquay" },
});
const { call, owner } = product;
await product.product.work();

const otherPassword = "seventeen copper lanterns";

const forget = (email: string) =>
  call(null, forgotPassword, { body: { email }, address: newAddress() });

/** The token in the newest email to an address. */
const mailedToken = async (email: string) => {
  await allMailed(product);
  const mail = sink.mails.findLast(({ to }) => to === email);
  if (!mail) throw new Error(`No mail came to ${email}.`);
  return tokenIn(mail);
};

const resetToken = async (email: string) => {
  await forget(email);
  return mailedToken(email);
};

const set = (token: string, chosen = otherPassword) =>
  call(null, setPassword, { body: { token, password: chosen }, address: newAddress() });

const look = (token: string) => call(null, getLink, { body: { token }, address: newAddress() });

/** Invites a team member through the API and returns the token of the email. */
const invite = async (email = `${randomUUID()}@example.com`) => {
  const boss = await product.signIn("owner");
  const body = { email, name: "Ada Rowe", role: "support" as const };
  expect((await call(boss, inviteTeamMember, { body })).status).toBe(201);
  return { email, token: await mailedToken(email) };
};

test("T16 sets the first password with the link of an invitation, once", async () => {
  const { email, token } = await invite();
  expect((await attemptSignIn(product, { email, password: otherPassword })).status).toBe(401);
  const shown = await look(token);
  expect(shown.body).toEqual({ purpose: "invitation", email, name: "Ada Rowe" });
  const used = await set(token);
  expect([used.status, used.text, used.cookies]).toEqual([204, "", []]);
  expect((await set(token, `${otherPassword} again`)).status).toBe(410);
  expect((await look(token)).status).toBe(410);
  expect((await attemptSignIn(product, { email, password: otherPassword })).status).toBe(200);
});

test("names the company, the inviter and the role in the invitation", async () => {
  const { email } = await invite();
  const mail = sink.mails.findLast(({ to }) => to === email);
  expect(mail?.subject).toBe("A owner invited you to Northquay");
  expect(mail?.text).toContain(
    "A owner invited you to join Northquay on Purser. Your role is Support.",
  );
});

test("T16 accepts an invitation for three days", async () => {
  const [late, timely] = [await invite(), await invite()];
  clock.forward(72 * hour - 1);
  expect((await set(timely.token)).status).toBe(204);
  clock.forward(1);
  expect((await look(late.token)).status).toBe(410);
  expect((await set(late.token)).status).toBe(410);
  expect(
    (await attemptSignIn(product, { email: late.email, password: otherPassword })).status,
  ).toBe(401);
});

test("T16 accepts a reset link once, for an hour", async () => {
  const [late, timely] = [await addPerson(product), await addPerson(product)];
  const [lateToken, token] = [await resetToken(late.email), await resetToken(timely.email)];
  clock.forward(hour - 1);
  expect((await look(token)).body).toMatchObject({ purpose: "reset", email: timely.email });
  expect((await set(token)).status).toBe(204);
  expect((await set(token, `${otherPassword} again`)).status).toBe(410);
  clock.forward(1);
  expect((await set(lateToken)).status).toBe(410);
  expect((await attemptSignIn(product, late)).status).toBe(200);
  expect((await attemptSignIn(product, timely)).status).toBe(401);
  expect((await attemptSignIn(product, { ...timely, password: otherPassword })).status).toBe(200);
});

test("T16 commits the link before its email is sent", async () => {
  const { email } = await addPerson(product);
  const seen: number[] = [];
  sink.hooks.onMail = async (mail) => {
    seen.push((await look(tokenIn(mail))).status);
  };
  await resetToken(email);
  delete sink.hooks.onMail;
  expect(seen).toEqual([200]);
});

test("T16 replaces an older link with a newer one", async () => {
  const { email } = await addPerson(product);
  const older = await resetToken(email);
  const newer = await resetToken(email);
  expect(newer).not.toBe(older);
  expect((await set(older)).status).toBe(410);
  expect((await set(newer)).status).toBe(204);
});

test("T16 refuses a link from before the password was changed", async () => {
  const person = await addPerson(product);
  const token = await resetToken(person.email);
  const cookie = await product.startSession(person.id);
  const changed = await call({ cookie }, changePassword, {
    body: { current: password, password: otherPassword },
    address: newAddress(),
  });
  expect([changed.status, (await set(token)).status]).toEqual([204, 410]);
});

test("T16 accepts one of 20 uses of a link at the same time", async () => {
  const { email } = await addPerson(product);
  const token = await resetToken(email);
  const chosen = Array.from({ length: 20 }, (_, index) => `${otherPassword} ${index}`);
  const answers = await Promise.all(chosen.map((one) => set(token, one)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([204, ...Array(19).fill(410)]);
  const winner = chosen[statuses.indexOf(204)] ?? "";
  expect((await attemptSignIn(product, { email, password: winner })).status).toBe(200);
});

test("T16 refuses the link of a suspended user", async () => {
  const boss = await product.signIn("owner");
  const { id, email } = await addPerson(product);
  const token = await resetToken(email);
  const body = {};
  const suspended = await call(boss, suspendTeamMember, { params: { id }, body, version: 1 });
  expect(suspended.status).toBe(200);
  expect((await look(token)).status).toBe(410);
  expect((await set(token)).status).toBe(410);
});

test("T16 T17 ends all sessions after a reset and still requires the second factor", async () => {
  const person = await addPersonWithCode(product, clock);
  expect((await call(person, getSession)).status).toBe(200);
  const done = await set(await resetToken(person.email));
  expect([done.status, done.cookies]).toEqual([204, []]);
  expect((await call(person, getSession)).status).toBe(401);

  const first = await attemptSignIn(product, { email: person.email, password: otherPassword });
  expect(first.body.state).toBe("second factor");
  expect(first.cookies).toEqual([]);
});

test("T16 T17 refuses to finish a sign-in with the old password after a reset", async () => {
  const person = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, person.email);
  expect((await set(await resetToken(person.email))).status).toBe(204);
  const code = codeAt(person.secret, clock.now());
  const finished = await call(null, signInWithCode, {
    body: { challenge, code },
    address: newAddress(),
  });
  expect(finished.status).toBe(401);
});

test("T16 refuses a concurrent sign-in with the old password after a reset", async () => {
  const { email } = await addPerson(product);
  const token = await resetToken(email);
  const release = await holdSignIn(product, email);
  expect((await set(token)).status).toBe(204);
  const entered = await release();
  expect((await call({ cookie: cookieOf(entered) }, getSession)).status).toBe(401);
  expect(entered.status).toBe(401);
});

test("T16 requires the old password for a change and ends the other sessions", async () => {
  const { email } = await addPerson(product);
  const here = await enter(product, email);
  const there = await enter(product, email);
  const change = (current: string) =>
    call(here, changePassword, { body: { current, password: otherPassword } });
  expect((await change("not the one")).status).toBe(401);
  expect((await call(there, getSession)).status).toBe(200);
  const changed = await change(password);
  expect(changed.status).toBe(204);
  // The session goes on with a new token, which someone with the old one doesn't have.
  expect((await call({ cookie: cookieOf(changed) }, getSession)).status).toBe(200);
  expect((await call(here, getSession)).status).toBe(401);
  expect((await call(there, getSession)).status).toBe(401);
  expect((await attemptSignIn(product, { email })).status).toBe(401);
  expect((await attemptSignIn(product, { email, password: otherPassword })).status).toBe(200);
});

test("T16 limits guesses at the password through a change", async () => {
  const { email } = await addPerson(product);
  const session = (await enter(product, email)).entered.cookies[0];
  const thief = { cookie: `${session?.name}=${session?.value}` };
  const statuses = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const body = { current: `guess ${attempt}`, password: otherPassword };
    statuses.push((await call(thief, changePassword, { body, address: newAddress() })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const confirmed = await call(thief, confirmWithPassword, {
    body: { password },
    address: newAddress(),
  });
  expect(confirmed.status).toBe(429);
  // The user can still sign in, from a device that isn't known.
  expect((await attemptSignIn(product, { email })).status).toBe(200);
});

test("T15 gives every reset request the same reply, and emails only active team members", async () => {
  const known = await addPerson(product);
  const others = [
    { email: `${randomUUID()}@example.com` },
    await addPerson(product, { status: "suspended" }),
    await addPerson(product, { status: "invited", secured: false }),
    await addPerson(product, { role: null }),
  ];
  const answers: unknown[] = [];
  const ask = async (email: string) => {
    const { status, text, headers, cookies } = await forget(email);
    const { "x-request-id": _, date: __, ...same } = headers;
    answers.push({ status, text, same, cookies });
  };
  for (const { email } of [known, ...others]) await ask(email);
  await allMailed(product);
  expect(answers[0]).toMatchObject({ status: 202, text: "" });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const mailed = sink.mails.map(({ to }) => to);
  expect(mailed).toContain(known.email);
  for (const { email } of others) expect(mailed).not.toContain(email);
  const { rows } = await owner.query(
    "select data ->> 'email' as email from pgboss.job where name = 'send-link' and state = 'failed'",
  );
  expect(rows).toEqual([]);
});
