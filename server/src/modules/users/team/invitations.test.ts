import { randomUUID } from "node:crypto";
import { getLink, setPassword } from "@purser/contract/auth/passwords";
import { getSession } from "@purser/contract/auth/session";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import {
  getTeamMember,
  inviteTeamMember,
  removeTeamMember,
  resendTeamMemberInvitation,
} from "@purser/contract/users/team";
import { expect, test } from "vitest";
import {
  addPerson,
  addPersonWithCode,
  allMailed,
  attemptSignIn,
  enter,
  hour,
  movableClock,
  newAddress,
  openMailSink,
  password,
  startCode,
  tokenIn,
} from "#platform/auth/testing.ts";
import { testProduct } from "#testing.ts";

const clock = movableClock();
const sink = await openMailSink();
const product = await testProduct({ clock, environment: { SMTP_URL: sink.url } });
const { call, owner, signIn } = product;
await product.product.work();

type Person = { cookie: string };

const rowOf = async (id: string) =>
  (await owner.query("select * from users where id = $1", [id])).rows[0];

const remove = async (actingOwner: Person, id: string) =>
  call(actingOwner, removeTeamMember, {
    params: { id },
    body: { reason: "Left the company" },
    version: (await rowOf(id)).version,
  });

const mailedToken = async (email: string) => {
  await allMailed(product);
  const mail = sink.mails.findLast(({ to }) => to === email);
  if (!mail) throw new Error(`No mail came to ${email}.`);
  return tokenIn(mail);
};

const invite = async (actingOwner: Person, email = `${randomUUID()}@example.com`) => {
  const body = { email, name: "Robin", role: "finance" as const };
  const made = await call(actingOwner, inviteTeamMember, { body });
  expect(made.status, made.text).toBe(201);
  return { ...made.body, token: await mailedToken(email) };
};

const set = (token: string) =>
  call(null, setPassword, { body: { token, password }, address: newAddress() });

test("an invitation shows when its link expires, and a second one restarts the period", async () => {
  const actingOwner = await signIn("owner");
  const { id, token } = await invite(actingOwner);
  const ends = async () =>
    (await call(actingOwner, getTeamMember, { params: { id } })).body.invitationEndsAt;
  expect(await ends()).toBe(new Date(clock.now() + 72 * hour * 1000).toISOString());
  clock.forward(10 * 60);
  await call(actingOwner, resendTeamMemberInvitation, { params: { id }, body: {} });
  await allMailed(product);
  expect(await ends()).toBe(new Date(clock.now() + 72 * hour * 1000).toISOString());
  expect((await set(token)).status, "the first link").toBe(410);
});

test("T16 an invitation stays invalid after a removal, even if the user is invited again", async () => {
  const actingOwner = await signIn("owner");
  const { id, email, token } = await invite(actingOwner);
  expect((await remove(actingOwner, id)).status).toBe(204);
  expect((await set(token)).status).toBe(410);
  expect(await rowOf(id)).toMatchObject({ role: null, status: "active" });
  const again = await invite(actingOwner, email);
  expect(again).toMatchObject({ id, status: "invited", role: "finance" });
  expect((await set(token)).status).toBe(410);
  expect((await set(again.token)).status).toBe(204);
  expect((await attemptSignIn(product, { email })).status).toBe(200);
});

test("a customer can be invited and keeps the record; team members and suspended users can't", async () => {
  const actingOwner = await signIn("owner");
  const customer = await addPerson(product, { role: null, secured: false });
  expect((await invite(actingOwner, customer.email)).id).toBe(customer.id);
  for (const made of [{ role: "viewer" as const }, { role: null, status: "suspended" }]) {
    const { email } = await addPerson(product, made);
    const body = { email, name: "Robin", role: "finance" as const };
    const refused = await call(actingOwner, inviteTeamMember, { body });
    expect([refused.status, refused.body["type"]]).toEqual([409, "urn:purser:problem:taken"]);
  }
});

test("T16 a token of one kind is not accepted as another kind", async () => {
  const actingOwner = await signIn("owner");
  const { token } = await invite(actingOwner);
  const { email } = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, email);
  const other = await addPerson(product);
  const { entered } = await enter(product, other.email);
  const session = entered.cookies.find(({ name }) => name === "__Host-purser")?.value ?? "";
  const device = entered.cookies.find(({ name }) => name === "__Host-purser-device")?.value ?? "";
  const asLink = async (given: string) =>
    (await call(null, getLink, { body: { token: given }, address: newAddress() })).status;
  const asSession = async (given: string) =>
    (await call({ cookie: `__Host-purser=${given}` }, getSession)).status;
  expect(await asLink(token)).toBe(200);
  expect(await asSession(session)).toBe(200);
  for (const given of [challenge, session, device]) expect(await asLink(given)).toBe(410);
  for (const given of [token, challenge, device]) expect(await asSession(given)).toBe(401);
  for (const given of [token, session, device]) {
    const body = { challenge: given, code: "123456" };
    const tried = await call(null, endpoints["signInWithCode"] as Endpoint, {
      body: body as never,
      address: newAddress(),
    });
    expect(tried.status).toBe(401);
  }
});
