import { randomUUID } from "node:crypto";
import { listSessions } from "@purser/contract/auth/activeSessions";
import { roles } from "@purser/contract/auth/permissions";
import { getSession } from "@purser/contract/auth/session";
import {
  changeTeamMember,
  getRoles,
  getTeamMember,
  removeTeamMember,
  suspendTeamMember,
} from "@purser/contract/users/team";
import { expect, test } from "vitest";
import {
  addPerson,
  addPersonWithCode,
  attemptSignIn,
  movableClock,
  startCode,
} from "#platform/auth/testing.ts";
import { testProduct } from "#testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner, signIn } = product;

type Person = { cookie: string };

const rowOf = async (id: string) =>
  (await owner.query("select * from users where id = $1", [id])).rows[0];

const remove = async (actingOwner: Person, id: string) =>
  call(actingOwner, removeTeamMember, {
    params: { id },
    body: { reason: "Left the company" },
    version: (await rowOf(id)).version,
  });

test("T14 a removed team member is signed out, loses every credential and becomes a customer", async () => {
  const actingOwner = await signIn("owner");
  const person = await addPersonWithCode(product, clock);
  await owner.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, 'Key', $2, '', 0, '{}', now())`,
    [person.id, randomUUID()],
  );
  await startCode(product, person.email);
  expect((await remove(actingOwner, person.id)).status).toBe(204);
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
  expect((await call(actingOwner, getTeamMember, { params: { id: person.id } })).status).toBe(404);
  const { rows } = await owner.query(
    `select reason from audit_entries where entity = 'users' and record_id = $1 order by id desc limit 1`,
    [person.id],
  );
  expect(rows).toEqual([{ reason: "Left the company" }]);
});

test("I16 the last owner can't be removed, and owners can't remove themselves", async () => {
  const actingOwner = await signIn("owner");
  const other = await signIn("owner");
  expect((await remove(actingOwner, actingOwner.id)).body["type"]).toBe(
    "urn:purser:problem:own_account",
  );
  await owner.query(
    "update users set status = 'suspended' where role = 'owner' and status = 'active' and id <> all ($1)",
    [[actingOwner.id, other.id]],
  );
  const answers = await Promise.all([remove(actingOwner, other.id), remove(other, actingOwner.id)]);
  // Each needs the approval of another owner, so none is removed at once.
  expect(answers.map(({ body }) => body["type"])).toEqual(
    Array(2).fill("urn:purser:problem:approval_required"),
  );
  const { rowCount } = await owner.query(
    "select from users where role = 'owner' and status = 'active'",
  );
  expect(rowCount).toBe(2);
});

test("counts every role, including those without members", async () => {
  const actingOwner = await signIn("owner");
  await owner.query("update users set role = 'viewer' where role = 'catalog'");
  const before = (await call(actingOwner, getRoles)).body.items;
  expect(before.map(({ role }) => role)).toEqual(roles);
  expect(before.find(({ role }) => role === "catalog")).toMatchObject({ members: 0 });
  await addPerson(product, { role: "catalog", status: "suspended" });
  const after = (await call(actingOwner, getRoles)).body.items;
  expect(after.find(({ role }) => role === "catalog")).toEqual({
    role: "catalog",
    members: 1,
    suspended: 1,
  });
});

test("T14 a session ended by a role change, suspension or removal stays ended", async () => {
  const actingOwner = await signIn("owner");
  const ends = [
    (id: string, version: number) =>
      call(actingOwner, changeTeamMember, {
        params: { id },
        body: { name: "Robin", role: "viewer" },
        version,
      }),
    (id: string, version: number) =>
      call(actingOwner, suspendTeamMember, { params: { id }, body: {}, version }),
    (id: string, version: number) =>
      call(actingOwner, removeTeamMember, { params: { id }, body: {}, version }),
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
