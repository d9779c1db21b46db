import { randomUUID } from "node:crypto";
import { endStaffSessions, listSessions } from "@purser/contract/auth/activeSessions";
import { getLink, setPassword } from "@purser/contract/auth/passwords";
import { permissions, roles } from "@purser/contract/auth/permissions";
import { getSession } from "@purser/contract/auth/session";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import {
  changeStaffMember,
  getRoles,
  getStaffMember,
  inviteStaffMember,
  inviteStaffMemberAgain,
  listStaff,
  removeStaffMember,
  restoreStaffMember,
  suspendStaffMember,
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
import { testProduct } from "../../testing.ts";
import { refusalToGrant } from "./staffRules.ts";

const clock = movableClock();
const sink = await openMailSink();
const product = await testProduct({ clock, environment: { SMTP_URL: sink.url } });
const { call, owner, signIn } = product;
await product.product.work();

type Person = { cookie: string };

const rowOf = async (id: string) =>
  (await owner.query("select * from users where id = $1", [id])).rows[0];

const remove = async (boss: Person, id: string) =>
  call(boss, removeStaffMember, {
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

const invite = async (boss: Person, email = `${randomUUID()}@example.com`) => {
  const body = { email, name: "Robin", role: "finance" as const };
  const made = await call(boss, inviteStaffMember, { body });
  expect(made.status, made.text).toBe(201);
  return { ...made.body, token: await mailedToken(email) };
};

const set = (token: string) =>
  call(null, setPassword, { body: { token, password }, address: newAddress() });

test("an invitation says how long its link works, and a second one starts the days anew", async () => {
  const boss = await signIn("owner");
  const { id, token } = await invite(boss);
  const ends = async () =>
    (await call(boss, getStaffMember, { params: { id } })).body.invitationEndsAt;
  expect(await ends()).toBe(new Date(clock.now() + 72 * hour * 1000).toISOString());
  clock.forward(10 * 60);
  await call(boss, inviteStaffMemberAgain, { params: { id }, body: {} });
  await allMailed(product);
  expect(await ends()).toBe(new Date(clock.now() + 72 * hour * 1000).toISOString());
  expect((await set(token)).status, "the first link").toBe(410);
});

test("T14 whoever is removed is out at once, with nothing left to sign in with, and stays as a customer", async () => {
  const boss = await signIn("owner");
  const person = await addPersonWithCode(product, clock);
  await owner.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, 'Key', $2, '', 0, '{}', now())`,
    [person.id, randomUUID()],
  );
  await startCode(product, person.email);
  expect((await remove(boss, person.id)).status).toBe(204);
  expect((await call(person, getSession)).status).toBe(401);
  expect((await attemptSignIn(product, { email: person.email })).status).toBe(401);
  expect(await rowOf(person.id)).toMatchObject({ role: null, status: "active" });
  const left = [
    "select 1 from sessions where user_id = $1",
    "select 1 from challenges where user_id = $1",
    "select 1 from links where user_id = $1",
    "select 1 from known_devices where user_id = $1",
    "select 1 from passwords where id = $1",
    "select 1 from authenticators where id = $1",
    "select 1 from recovery_codes where user_id = $1",
    "select 1 from passkeys where user_id = $1",
  ];
  for (const statement of left)
    expect((await owner.query(statement, [person.id])).rowCount, statement).toBe(0);
  expect((await call(boss, getStaffMember, { params: { id: person.id } })).status).toBe(404);
  const { rows } = await owner.query(
    `select reason from audit_entries where entity = 'users' and record_id = $1 order by id desc limit 1`,
    [person.id],
  );
  expect(rows).toEqual([{ reason: "Left the company" }]);
});

test("T16 an invitation of somebody who was removed meanwhile is dead, also after they are invited again", async () => {
  const boss = await signIn("owner");
  const { id, email, token } = await invite(boss);
  expect((await remove(boss, id)).status).toBe(204);
  expect((await set(token)).status).toBe(410);
  expect(await rowOf(id)).toMatchObject({ role: null, status: "active" });
  const again = await invite(boss, email);
  expect(again).toMatchObject({ id, status: "invited", role: "finance" });
  expect((await set(token)).status).toBe(410);
  expect((await set(again.token)).status).toBe(204);
  expect((await attemptSignIn(product, { email })).status).toBe(200);
});

test("a customer can be invited and stays the same person; who is on the staff, or suspended, is taken", async () => {
  const boss = await signIn("owner");
  const customer = await addPerson(product, { role: null, secured: false });
  expect((await invite(boss, customer.email)).id).toBe(customer.id);
  for (const made of [{ role: "viewer" as const }, { role: null, status: "suspended" }]) {
    const { email } = await addPerson(product, made);
    const body = { email, name: "Robin", role: "finance" as const };
    const refused = await call(boss, inviteStaffMember, { body });
    expect([refused.status, refused.body["type"]]).toEqual([409, "urn:purser:problem:taken"]);
  }
});

test("I16 the last owner cannot be removed, and nobody removes themselves", async () => {
  const boss = await signIn("owner");
  const other = await signIn("owner");
  expect((await remove(boss, boss.id)).body["type"]).toBe("urn:purser:problem:own_account");
  await owner.query(
    "update users set status = 'suspended' where role = 'owner' and status = 'active' and id <> all ($1)",
    [[boss.id, other.id]],
  );
  const answers = await Promise.all([remove(boss, other.id), remove(other, boss.id)]);
  expect(answers.map(({ status }) => status).sort()).not.toEqual([204, 204]);
  const { rowCount } = await owner.query(
    "select from users where role = 'owner' and status = 'active'",
  );
  expect(rowCount).toBe(1);
});

test("T1 nobody gives a role that has more than their own, were they ever allowed to give roles", () => {
  for (const actor of roles)
    for (const role of roles) {
      const lacks = Object.values(permissions).some(
        (allowed: readonly string[]) => allowed.includes(role) && !allowed.includes(actor),
      );
      expect(refusalToGrant(actor, role) !== null, `${actor} gives ${role}`).toBe(lacks);
    }
});

test("the roles are counted, also those that nobody has", async () => {
  const boss = await signIn("owner");
  await owner.query("update users set role = 'viewer' where role = 'catalogue'");
  const before = (await call(boss, getRoles)).body.items;
  expect(before.map(({ role }) => role)).toEqual(roles);
  expect(before.find(({ role }) => role === "catalogue")).toMatchObject({ people: 0 });
  await addPerson(product, { role: "catalogue", status: "suspended" });
  const after = (await call(boss, getRoles)).body.items;
  expect(after.find(({ role }) => role === "catalogue")).toEqual({
    role: "catalogue",
    people: 1,
    suspended: 1,
  });
});

/** Every body that an account or a member of staff is written by, with values that would do. */
const bodies: Record<string, Record<string, unknown>> = {
  inviteStaffMember: { email: "mass@example.com", name: "Robin", role: "viewer" },
  inviteStaffMemberAgain: {},
  changeStaffMember: { name: "Robin", role: "viewer" },
  suspendStaffMember: {},
  restoreStaffMember: {},
  removeStaffMember: {},
  signIn: { email: "mass@example.com", password },
  signInWithCode: { challenge: "A".repeat(43), code: "123456" },
  startPasskeySignIn: {},
  signInWithPasskey: {},
  signInWithCompany: { answer: "code=x" },
  startCompanySignIn: {},
  forgotPassword: { email: "mass@example.com" },
  getLink: { token: "A".repeat(43) },
  setPassword: { token: "A".repeat(43), password },
  changePassword: { current: password, password: "seventeen copper lanterns" },
  startTotp: { password },
  confirmTotp: { code: "123456" },
  removeTotp: { password },
  startPasskey: { password },
  addPasskey: {},
  renamePasskey: { name: "Key" },
  changeOwnName: { name: "Robin" },
  changePreferences: {},
};

const ofPeople = Object.entries(endpoints).filter(
  ([, { path, body }]) =>
    body &&
    /^\/(staff|session|sessions|password|second-factor|passkeys|account|preferences)\b/.test(path),
);

test("T3 every body that writes about staff or an account stands in the test below", () => {
  expect(ofPeople.map(([name]) => name).sort()).toEqual(Object.keys(bodies).sort());
});

test.each(ofPeople)(
  "T3 %s takes no column of users beside its own fields",
  async (name, endpoint) => {
    const boss = await signIn("owner");
    const victim = await addPerson(product, { role: "viewer" });
    const before = [await rowOf(victim.id), await rowOf(boss.id)];
    const { rows } = await owner.query<{ column_name: string }>(
      "select column_name from information_schema.columns where table_name = 'users'",
    );
    const own = Object.keys(endpoint.body?.shape ?? {});
    const columns = rows
      .flatMap(({ column_name: column }) => [
        column,
        column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      ])
      .filter((column) => !own.includes(column));
    expect(columns.length).toBeGreaterThan(5);
    for (const column of columns) {
      const body = { ...bodies[name], [column]: column === "role" ? "owner" : "active" };
      const { status, text } = await call(boss, endpoint as Endpoint, {
        params: { id: victim.id } as never,
        body: body as never,
        version: before[0].version,
        address: newAddress(),
      });
      expect(status, `${column}: ${text}`).toBe(400);
      expect(text).toContain(`"/${column}"`);
    }
    expect([await rowOf(victim.id), await rowOf(boss.id)]).toEqual(before);
  },
);

/** What takes the id of a member of staff, and who may use it on whom. */
const acts = [
  { endpoint: getStaffMember, may: ["owner", "admin"] },
  { endpoint: changeStaffMember, may: ["owner"], body: { name: "Robin", role: "viewer" } },
  { endpoint: suspendStaffMember, may: ["owner"], body: {} },
  { endpoint: restoreStaffMember, may: ["owner"], body: {} },
  { endpoint: removeStaffMember, may: ["owner"], body: {} },
  { endpoint: inviteStaffMemberAgain, may: ["owner"], body: {} },
  { endpoint: endStaffSessions, may: ["owner"] },
] as const;

test.each(roles.flatMap((role) => roles.map((victim) => ({ role, victim }))))(
  "T1 a $role does to a $victim, and to themselves, only what the table allows",
  async (of) => {
    const actor = await signIn(of.role);
    const victim = await signIn(of.victim);
    for (const { endpoint, may, ...sent } of acts)
      for (const id of [victim.id, actor.id]) {
        if ((may as readonly string[]).includes(of.role)) continue;
        const before = await rowOf(id);
        const answer = await call(actor, endpoint as Endpoint, {
          params: { id } as never,
          version: before.version,
          ...(sent as object),
        });
        expect(answer.status, `${endpoint.path} ${id === actor.id ? "self" : "other"}`).toBe(403);
        expect(await rowOf(id)).toEqual(before);
      }
    expect((await call(victim, getSession)).status).toBe(200);
    expect((await call(actor, listStaff)).status).toBe(
      ["owner", "admin"].includes(of.role) ? 200 : 403,
    );
  },
);

test("T16 a token of one kind opens nothing of another", async () => {
  const boss = await signIn("owner");
  const { token } = await invite(boss);
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

test("T14 a session that was ended by a role, a suspension or a removal never comes back", async () => {
  const boss = await signIn("owner");
  const ends = [
    (id: string, version: number) =>
      call(boss, changeStaffMember, {
        params: { id },
        body: { name: "Robin", role: "viewer" },
        version,
      }),
    (id: string, version: number) =>
      call(boss, suspendStaffMember, { params: { id }, body: {}, version }),
    (id: string, version: number) =>
      call(boss, removeStaffMember, { params: { id }, body: {}, version }),
  ];
  for (const end of ends) {
    const person = await signIn("admin", "Robin");
    expect((await call(person, listSessions)).status).toBe(200);
    expect((await end(person.id, (await rowOf(person.id)).version)).status).toBeLessThan(300);
    expect((await call(person, getSession)).status).toBe(401);
    await owner.query("update users set role = 'admin', status = 'active' where id = $1", [
      person.id,
    ]);
    expect((await call(person, getSession)).status, "with everything as it was").toBe(401);
  }
});
