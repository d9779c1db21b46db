import { randomUUID } from "node:crypto";
import { forgotPassword, setPassword } from "@purser/contract/auth/passwords";
import { getSession } from "@purser/contract/auth/session";
import { signInWithCode } from "@purser/contract/auth/signIn";
import { getWaysIn, signInWithCompany, startCompanySignIn } from "@purser/contract/auth/sso";
import { startTotp } from "@purser/contract/auth/twoFactor";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { createLink } from "../passwords/passwordLinks.ts";
import {
  addPerson,
  addPersonWithCode,
  codeAt,
  cookieOf,
  enter,
  minute,
  movableClock,
  newAddress,
  password,
  trySignIn,
} from "../testing.ts";
import { openIdentityProvider, signInAtProvider } from "./identityProvider.testing.ts";

const provider = await openIdentityProvider(() => "http://localhost:3000/login");
afterAll(provider.close);
const clock = movableClock();
const product = await testProduct({ clock, environment: provider.environment });
const { call, owner, platform, signIn: makeSignedIn } = product;

const groups = [
  { group: "office-owners", role: "owner" },
  { group: "office-finance", role: "finance" },
  { group: "everybody", role: "viewer" },
];

const decide = (values: Record<string, unknown>) =>
  owner.query(
    `update settings set passwords_allowed = $1, sign_in_groups = $2, second_factor_roles = $3`,
    [
      values["passwordsAllowed"] ?? true,
      JSON.stringify(values["signInGroups"] ?? groups),
      values["secondFactorRoles"] ?? [],
    ],
  );
beforeEach(() => decide({}));

type Made = { groups?: string[]; email?: string; isVerified?: boolean; amr?: string[] };

/** Somebody whom the company knows, and Purser perhaps not. */
const atCompany = ({ groups: of = ["everybody"], email, isVerified = true, amr }: Made = {}) => {
  const subject = randomUUID();
  const claims = {
    email: email ?? `${subject}@example.com`,
    email_verified: isVerified,
    name: "Jo Harbour",
    groups: of,
    ...(amr && { amr }),
  };
  provider.people.set(subject, claims);
  return { subject, ...claims };
};

const start = async (redirect?: string) => {
  const body = redirect === undefined ? {} : { redirect };
  const started = await call(null, startCompanySignIn, { body, address: newAddress() });
  expect(started.status).toBe(200);
  return { address: started.body.address, cookie: cookieOf(started) };
};

const finish = (cookie: string, answer: string) =>
  call({ cookie }, signInWithCompany, { body: { answer }, address: newAddress() });

const come = async (subject: string, redirect?: string) => {
  const { address, cookie } = await start(redirect);
  return finish(cookie, await signInAtProvider(address, subject));
};

const meOf = async (entered: Awaited<ReturnType<typeof come>>) => {
  expect(entered.status, entered.text).toBe(200);
  return (await call({ cookie: cookieOf(entered) }, getSession)).body;
};

const rowOf = async (email: string) => {
  const { rows } = await owner.query("select * from users where email = $1", [email]);
  return rows[0];
};

const logOf = async (email: string) => {
  const { rows } = await owner.query(
    `select s.how, s.outcome from sign_ins s join users u on u.id = s.user_id
     where u.email = $1 order by s.id`,
    [email],
  );
  return rows.map(({ how, outcome }) => `${how}: ${outcome}`);
};

test("somebody new whose group is mapped enters at once with its role, and is an active member of staff", async () => {
  const { subject, email } = atCompany({ groups: ["office-finance", "everybody"] });
  const entered = await come(subject, "/transaction?page=2");
  expect(await meOf(entered)).toMatchObject({ email, name: "Jo Harbour", role: "finance" });
  expect(entered.body.redirect).toBe("/transaction?page=2");
  expect(await rowOf(email)).toMatchObject({ role: "finance", status: "active" });
  expect(await logOf(email)).toEqual(["company: ok"]);
});

test("the first line that matches counts, not the highest role", async () => {
  await decide({ signInGroups: groups.toReversed() });
  const { subject } = atCompany({ groups: ["office-owners", "everybody"] });
  expect(await meOf(await come(subject))).toMatchObject({ role: "viewer" });
});

test("a colleague is matched by verified mail once, and by who they are at the company from then on", async () => {
  const { id, email } = await addPerson(product, { role: "finance" });
  const { subject, ...claims } = atCompany({ groups: ["office-finance"], email });
  expect(await meOf(await come(subject))).toMatchObject({ id, role: "finance" });
  provider.people.set(subject, { ...claims, email: `${randomUUID()}@example.com` });
  expect(await meOf(await come(subject))).toMatchObject({ id, email });
});

test("somebody who was invited, and a customer, become active by their group; a suspended person does not", async () => {
  for (const made of [
    { status: "invited", secured: false },
    { role: null, secured: false },
  ]) {
    const { id, email } = await addPerson(product, made);
    const { subject } = atCompany({ groups: ["office-finance"], email });
    expect(await meOf(await come(subject))).toMatchObject({ id, role: "finance" });
  }
  const { email } = await addPerson(product, { status: "suspended" });
  const refused = await come(atCompany({ groups: ["office-owners"], email }).subject);
  expect(refused.status).toBe(403);
  expect(refused.body["detail"]).toContain("suspended");
  expect(await rowOf(email)).toMatchObject({ status: "suspended", role: "viewer" });
  expect(await logOf(email)).toEqual(["company: refused by policy"]);
});

test("whose address is not verified is nobody, whoever has that address here", async () => {
  const { email } = await addPerson(product, { role: "owner" });
  const { subject } = atCompany({ groups: ["office-owners"], email, isVerified: false });
  const refused = await come(subject);
  expect([refused.status, refused.body["type"]]).toEqual([
    403,
    "urn:purser:problem:company_refused",
  ]);
  expect(refused.body["detail"]).toContain("not verified");
  expect(refused.cookies.map(({ name }) => name)).not.toContain("__Host-purser");
});

test("an address that was given to somebody else at the company does not open the first one's account", async () => {
  const first = atCompany();
  await meOf(await come(first.subject));
  const second = atCompany({ email: first.email, groups: ["office-owners"] });
  const refused = await come(second.subject);
  expect(refused.status).toBe(403);
  expect(await rowOf(first.email)).toMatchObject({ role: "viewer" });
});

test("who is in no mapped group is refused with a sentence, and sessions that they had end", async () => {
  const { subject, ...claims } = atCompany();
  const before = { cookie: cookieOf(await come(subject)) };
  provider.people.set(subject, { ...claims, groups: ["somewhere else"] });
  const refused = await come(subject);
  expect([refused.status, refused.body["detail"]]).toEqual([
    403,
    "None of your groups there may use this office. Ask an owner which one does.",
  ]);
  expect((await call(before, getSession)).status).toBe(401);
  const stranger = atCompany({ groups: [] });
  expect((await come(stranger.subject)).status).toBe(403);
  expect(await rowOf(stranger.email)).toBeUndefined();
});

test("T14 a lower role at the company ends the sessions of the higher one and takes effect", async () => {
  await makeSignedIn("owner");
  const { subject, email, ...claims } = atCompany({ groups: ["office-owners"] });
  const before = { cookie: cookieOf(await come(subject)) };
  provider.people.set(subject, { ...claims, email, groups: ["everybody"] });
  expect(await meOf(await come(subject))).toMatchObject({ role: "viewer" });
  expect((await call(before, getSession)).status).toBe(401);
  const { rows } = await owner.query(
    `select actor_kind, actor_name from audit_entries
     where entity = 'users' and record_id = $1 and action = 'update'`,
    [(await rowOf(email)).id],
  );
  expect(rows).toEqual([{ actor_kind: "system", actor_name: "company sign-in" }]);
});

test("I16 the last owner stays one, whatever the company's groups say", async () => {
  const { subject, email, ...claims } = atCompany({ groups: ["office-owners"] });
  await meOf(await come(subject));
  await makeSignedIn("owner");
  await owner.query(
    "update users set status = 'suspended' where role = 'owner' and status = 'active' and email <> $1",
    [email],
  );
  provider.people.set(subject, { ...claims, email, groups: ["everybody"] });
  expect(await meOf(await come(subject))).toMatchObject({ role: "owner" });
  await makeSignedIn("owner");
  expect(await meOf(await come(subject))).toMatchObject({ role: "viewer" });
});

test("the cookie that binds the browser is the host's own, comes back from the provider and is used once", async () => {
  const started = await call(null, startCompanySignIn, { body: {}, address: newAddress() });
  const [line = ""] = [started.headers["set-cookie"] ?? []].flat();
  expect(line).toMatch(/^__Host-purser-company=[A-Za-z0-9_-]{43};/);
  for (const needed of ["Secure", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=600"])
    expect(line.split("; ")).toContain(needed);
  const address = new URL(started.body.address);
  expect(address.searchParams.get("code_challenge_method")).toBe("S256");
  for (const secret of ["state", "nonce", "code_challenge"])
    expect(address.searchParams.get(secret)?.length).toBeGreaterThanOrEqual(43);
});

const refusedAsUnanswered = async (answer: ReturnType<typeof finish>) => {
  const { status, body, cookies } = await answer;
  expect([status, body["type"]]).toEqual([403, "urn:purser:problem:company_refused"]);
  expect(cookies.map(({ name }) => name)).not.toContain("__Host-purser");
};

test("an answer with another state is refused, and its code with it", async () => {
  const { subject } = atCompany();
  const { address, cookie } = await start();
  const answer = new URLSearchParams(await signInAtProvider(address, subject));
  const right = answer.toString();
  answer.set("state", "A".repeat(43));
  await refusedAsUnanswered(finish(cookie, answer.toString()));
  await refusedAsUnanswered(finish(cookie, right));
});

test("an answer is good once: neither it nor its code can be sent again", async () => {
  const { subject } = atCompany();
  const { address, cookie } = await start();
  const answer = await signInAtProvider(address, subject);
  expect((await finish(cookie, answer)).status).toBe(200);
  await refusedAsUnanswered(finish(cookie, answer));
  // Somebody else's browser, with the code put into an answer of its own: the verifier is not theirs.
  const thief = await start();
  const state = new URL(thief.address).searchParams.get("state") ?? "";
  const injected = new URLSearchParams(answer);
  injected.set("state", state);
  await refusedAsUnanswered(finish(thief.cookie, injected.toString()));
});

test("of 20 who send one answer at the same moment one enters", async () => {
  const { subject } = atCompany();
  const { address, cookie } = await start();
  const answer = await signInAtProvider(address, subject);
  const all = await Promise.all(Array.from({ length: 20 }, () => finish(cookie, answer)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(all.filter(({ status }) => status === 403)).toHaveLength(19);
});

test("another browser cannot use the answer, since what it must match is bound to the first", async () => {
  const { subject } = atCompany();
  const { address } = await start();
  const answer = await signInAtProvider(address, subject);
  await refusedAsUnanswered(finish("", answer));
  await refusedAsUnanswered(finish((await start()).cookie, answer));
});

test("a token that was made for another nonce is refused", async () => {
  const { subject } = atCompany();
  const { address, cookie } = await start();
  const bent = new URL(address);
  bent.searchParams.set("nonce", "B".repeat(43));
  await refusedAsUnanswered(finish(cookie, await signInAtProvider(bent.href, subject)));
});

test("who takes longer than ten minutes at the company starts again", async () => {
  const { subject } = atCompany();
  const { address, cookie } = await start();
  const answer = await signInAtProvider(address, subject);
  clock.forward(10 * minute);
  await refusedAsUnanswered(finish(cookie, answer));
});

test.each(["error=access_denied&state=x", "nonsense", "code=x&state=y&code=z"])(
  "the answer %s is refused",
  async (answer) => {
    const { cookie } = await start();
    await refusedAsUnanswered(finish(cookie, answer));
  },
);

test("T17 the company does not go around an authenticator, unless it says that it asked for more itself", async () => {
  const person = await addPersonWithCode(product, clock);
  const { subject, ...claims } = atCompany({ email: person.email });
  const first = await come(subject);
  const { entered } = first.body;
  if (entered.state !== "second factor") throw new Error(first.text);
  expect(first.cookies.map(({ name }) => name)).not.toContain("__Host-purser");
  const body = { challenge: entered.challenge, code: codeAt(person.secret, clock.now()) };
  expect((await call(null, signInWithCode, { body })).status).toBe(200);
  provider.people.set(subject, { ...claims, amr: ["pwd", "mfa"] });
  expect(await meOf(await come(subject))).toMatchObject({ email: person.email });
});

test("T17 the policy of second factors holds for who comes by the company: without its word for one, and with it", async () => {
  await decide({ secondFactorRoles: ["viewer"] });
  const { subject, ...claims } = atCompany();
  const first = await meOf(await come(subject));
  expect(first.secondFactorDuty).toMatchObject({ isDue: false });
  clock.forward(7 * 24 * 60 * minute);
  expect((await meOf(await come(subject))).secondFactorDuty).toMatchObject({ isDue: true });
  provider.people.set(subject, { ...claims, amr: ["mfa"] });
  expect((await meOf(await come(subject))).secondFactorDuty).toBeNull();
});

test("who has no password proves themselves by having signed in within ten minutes", async () => {
  const { subject } = atCompany();
  const entered = await come(subject);
  const person = { cookie: cookieOf(entered) };
  expect(await meOf(entered)).toMatchObject({ proof: "recent sign-in" });
  clock.forward(10 * minute);
  expect((await call(person, startTotp, { body: {} })).status).toBe(200);
  clock.forward(1);
  const late = await call(person, startTotp, { body: {} });
  expect([late.status, late.body["type"]]).toEqual([403, "urn:purser:problem:sign_in_again"]);
});

test("the login is told which ways are open", async () => {
  expect((await call(null, getWaysIn)).body).toEqual({ passwords: true, company: "Northquay" });
  await decide({ passwordsAllowed: false });
  expect((await call(null, getWaysIn)).body).toEqual({ passwords: false, company: "Northquay" });
});

test("where passwords are forbidden, none lets anybody in and none is reset, and all are told alike", async () => {
  const { id, email } = await addPerson(product, { role: "owner" });
  const before = await enter(product, email);
  const now = platform.now();
  const reset = await createLink(platform.db, { userId: id, purpose: "reset", now });
  await decide({ passwordsAllowed: false });
  const answers = [];
  for (const tried of [
    { email },
    { email, password: "wrong" },
    { email: `${randomUUID()}@example.com` },
  ]) {
    const { status, body } = await trySignIn(product, tried);
    answers.push([status, body["type"], body["detail"]]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.slice(0, 2)).toEqual([403, "urn:purser:problem:passwords_off"]);
  const address = newAddress();
  expect((await call(null, forgotPassword, { body: { email }, address })).status).toBe(403);
  const set = { token: reset, password: "seventeen copper lanterns" };
  expect((await call(null, setPassword, { body: set, address })).status).toBe(403);
  expect((await call(before, getSession)).status, "sessions go on").toBe(200);
  expect(await meOf(await come(atCompany().subject))).toMatchObject({ role: "viewer" });
});

test("where passwords are forbidden, the operator's link is the one way to a password that counts", async () => {
  const { id, email } = await addPerson(product, { role: "owner" });
  await decide({ passwordsAllowed: false });
  const now = platform.now();
  const token = await createLink(platform.db, { userId: id, purpose: "operator", now });
  const body = { token, password };
  expect((await call(null, setPassword, { body, address: newAddress() })).status).toBe(204);
  expect((await trySignIn(product, { email })).status).toBe(200);
  expect((await trySignIn(product, { email, password: "wrong" })).body["type"]).toBe(
    "urn:purser:problem:passwords_off",
  );
});
