import { randomUUID } from "node:crypto";
import { forgotPassword, setPassword } from "@purser/contract/auth/passwords";
import { getSession } from "@purser/contract/auth/session";
import { signInWithCode } from "@purser/contract/auth/signIn";
import { getSignInMethods, startSso } from "@purser/contract/auth/sso";
import { startTotp } from "@purser/contract/auth/twoFactor";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { createLink } from "../passwords/passwordLinks.ts";
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
} from "../testing.ts";
import { openIdentityProvider } from "./identityProvider.testing.ts";
import { groups, ssoIn } from "./sso.testing.ts";

const provider = await openIdentityProvider(() => "http://localhost:3000/login");
afterAll(provider.close);
const clock = movableClock();
const product = await testProduct({ clock, environment: provider.environment });
const { call, owner, platform, signIn: makeSignedIn } = product;
const { decide, addIdentity, enterAs, meOf } = ssoIn(product, provider);

beforeEach(() => decide());

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

test("creates an active team member with the role of the mapped group", async () => {
  const { subject, email } = addIdentity({ groups: ["office-finance", "everybody"] });
  const entered = await enterAs(subject, "/transaction?page=2");
  expect(await meOf(entered)).toMatchObject({ email, name: "Jo Harbour", role: "finance" });
  expect(entered.body.redirect).toBe("/transaction?page=2");
  expect(await rowOf(email)).toMatchObject({ role: "finance", status: "active" });
  expect(await logOf(email)).toEqual(["sso: ok"]);
});

test("uses the first matching group, not the highest role", async () => {
  await decide({ signInGroups: groups.toReversed() });
  const { subject } = addIdentity({ groups: ["office-owners", "everybody"] });
  expect(await meOf(await enterAs(subject))).toMatchObject({ role: "viewer" });
});

test("matches by verified email first, and by the identity from then on", async () => {
  const { id, email } = await addPerson(product, { role: "finance" });
  const { subject, ...claims } = addIdentity({ groups: ["office-finance"], email });
  expect(await meOf(await enterAs(subject))).toMatchObject({ id, role: "finance" });
  provider.people.set(subject, { ...claims, email: `${randomUUID()}@example.com` });
  expect(await meOf(await enterAs(subject))).toMatchObject({ id, email });
});

test("activates an invited user and a customer by their group, but not a suspended one", async () => {
  for (const made of [
    { status: "invited", secured: false },
    { role: null, secured: false },
  ]) {
    const { id, email } = await addPerson(product, made);
    const { subject } = addIdentity({ groups: ["office-finance"], email });
    expect(await meOf(await enterAs(subject))).toMatchObject({ id, role: "finance" });
  }
  const { email } = await addPerson(product, { status: "suspended" });
  const refused = await enterAs(addIdentity({ groups: ["office-owners"], email }).subject);
  expect(refused.status).toBe(403);
  expect(refused.body["reason"]).toBe("sso_suspended");
  expect(await rowOf(email)).toMatchObject({ status: "suspended", role: "viewer" });
  expect(await logOf(email)).toEqual(["sso: refused by policy"]);
});

test("refuses an unverified address even if a user has it", async () => {
  const { email } = await addPerson(product, { role: "owner" });
  const { subject } = addIdentity({ groups: ["office-owners"], email, isVerified: false });
  const refused = await enterAs(subject);
  expect([refused.status, refused.body["type"]]).toEqual([403, "urn:purser:problem:sso_refused"]);
  expect(refused.body["reason"]).toBe("sso_email_unverified");
  expect(refused.cookies.map(({ name }) => name)).not.toContain("__Host-purser");
});

test("refuses another identity with the address of a linked user", async () => {
  const first = addIdentity();
  await meOf(await enterAs(first.subject));
  const second = addIdentity({ email: first.email, groups: ["office-owners"] });
  const refused = await enterAs(second.subject);
  expect(refused.status).toBe(403);
  expect(await rowOf(first.email)).toMatchObject({ role: "viewer" });
});

test("refuses a user without a mapped group, and ends their sessions", async () => {
  const { subject, ...claims } = addIdentity();
  const before = { cookie: cookieOf(await enterAs(subject)) };
  provider.people.set(subject, { ...claims, groups: ["somewhere else"] });
  const refused = await enterAs(subject);
  expect([refused.status, refused.body["reason"]]).toEqual([403, "sso_group_missing"]);
  expect((await call(before, getSession)).status).toBe(401);
  const stranger = addIdentity({ groups: [] });
  expect((await enterAs(stranger.subject)).status).toBe(403);
  expect(await rowOf(stranger.email)).toBeUndefined();
});

test("T14 applies a lower role of the identity provider and ends earlier sessions", async () => {
  await makeSignedIn("owner");
  const { subject, email, ...claims } = addIdentity({ groups: ["office-owners"] });
  const before = { cookie: cookieOf(await enterAs(subject)) };
  provider.people.set(subject, { ...claims, email, groups: ["everybody"] });
  expect(await meOf(await enterAs(subject))).toMatchObject({ role: "viewer" });
  expect((await call(before, getSession)).status).toBe(401);
  const { rows } = await owner.query(
    `select actor_kind, actor_name from audit_entries
     where entity = 'users' and record_id = $1 and action = 'update'`,
    [(await rowOf(email)).id],
  );
  expect(rows).toEqual([{ actor_kind: "system", actor_name: "single sign-on" }]);
});

test("I16 keeps the last owner whatever the groups are", async () => {
  const { subject, email, ...claims } = addIdentity({ groups: ["office-owners"] });
  await meOf(await enterAs(subject));
  await makeSignedIn("owner");
  await owner.query(
    "update users set status = 'suspended' where role = 'owner' and status = 'active' and email <> $1",
    [email],
  );
  provider.people.set(subject, { ...claims, email, groups: ["everybody"] });
  expect(await meOf(await enterAs(subject))).toMatchObject({ role: "owner" });
  await makeSignedIn("owner");
  expect(await meOf(await enterAs(subject))).toMatchObject({ role: "viewer" });
});

test("T17 requires the code of an authenticator unless the provider vouches for a second factor", async () => {
  const person = await addPersonWithCode(product, clock);
  const { subject, ...claims } = addIdentity({ email: person.email });
  const first = await enterAs(subject);
  const { entered } = first.body;
  if (entered.state !== "second factor") throw new Error(first.text);
  expect(first.cookies.map(({ name }) => name)).not.toContain("__Host-purser");
  const body = { challenge: entered.challenge, code: codeAt(person.secret, clock.now()) };
  expect((await call(null, signInWithCode, { body })).status).toBe(200);
  provider.people.set(subject, { ...claims, amr: ["pwd", "mfa"] });
  expect(await meOf(await enterAs(subject))).toMatchObject({ email: person.email });
});

test("T17 applies the two-factor requirement unless the provider vouches for a second factor", async () => {
  await decide({ twoFactorRoles: ["viewer"] });
  const { subject, ...claims } = addIdentity();
  const first = await meOf(await enterAs(subject));
  expect(first.twoFactorRequirement).toMatchObject({ isDue: false });
  clock.forward(7 * 24 * 60 * minute);
  expect((await meOf(await enterAs(subject))).twoFactorRequirement).toMatchObject({ isDue: true });
  provider.people.set(subject, { ...claims, amr: ["mfa"] });
  expect((await meOf(await enterAs(subject))).twoFactorRequirement).toBeNull();
});

test("accepts a sign-in within ten minutes as proof from a user without a password", async () => {
  const { subject } = addIdentity();
  const entered = await enterAs(subject);
  const person = { cookie: cookieOf(entered) };
  expect(await meOf(entered)).toMatchObject({ proof: "recent sign-in" });
  // The provider counts whole seconds.
  clock.forward(10 * minute - 5000);
  expect((await call(person, startTotp, { body: {} })).status).toBe(200);
  clock.forward(5001);
  const late = await call(person, startTotp, { body: {} });
  expect([late.status, late.body["type"]]).toEqual([403, "urn:purser:problem:proof_required"]);
});

test.each([undefined, ["mfa"]])(
  "D6 an old sign-in at the provider isn't a recent proof, with amr %j",
  async (amr) => {
    const old = addIdentity({ ...(amr && { amr }), signedInSecondsAgo: 11 * 60 });
    const person = { cookie: cookieOf(await enterAs(old.subject)) };
    const answer = await call(person, startTotp, { body: {} });
    expect([answer.status, answer.body["type"]]).toEqual([
      403,
      "urn:purser:problem:proof_required",
    ]);
  },
);

test("D6 asks the provider to sign the user in again if that was more than ten minutes ago", async () => {
  const { body } = await call(null, startSso, { body: {} });
  expect(new URL(body.address).searchParams.get("max_age")).toBe("600");
});

test("returns the available ways to sign in", async () => {
  expect((await call(null, getSignInMethods)).body).toEqual({ passwords: true, sso: "Northquay" });
  await decide({ passwordsAllowed: false });
  expect((await call(null, getSignInMethods)).body).toEqual({ passwords: false, sso: "Northquay" });
});

test("refuses all passwords and resets with the same reply when passwords are off", async () => {
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
    const { status, body } = await attemptSignIn(product, tried);
    answers.push([status, body["type"], body["detail"]]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.slice(0, 2)).toEqual([403, "urn:purser:problem:password_sign_in_off"]);
  const address = newAddress();
  expect((await call(null, forgotPassword, { body: { email }, address })).status).toBe(403);
  const set = { token: reset, password: "seventeen copper lanterns" };
  expect((await call(null, setPassword, { body: set, address })).status).toBe(403);
  expect((await call(before, getSession)).status, "sessions go on").toBe(200);
  expect(await meOf(await enterAs(addIdentity().subject))).toMatchObject({ role: "viewer" });
});

test("accepts a password from an operator's link when passwords are off", async () => {
  const { id, email } = await addPerson(product, { role: "owner" });
  await decide({ passwordsAllowed: false });
  const now = platform.now();
  const token = await createLink(platform.db, { userId: id, purpose: "operator", now });
  const body = { token, password };
  expect((await call(null, setPassword, { body, address: newAddress() })).status).toBe(204);
  expect((await attemptSignIn(product, { email })).status).toBe(200);
  expect((await attemptSignIn(product, { email, password: "wrong" })).body["type"]).toBe(
    "urn:purser:problem:password_sign_in_off",
  );
});
