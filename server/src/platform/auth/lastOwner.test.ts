import { getSession } from "@purser/contract/auth/session";
import { changeTeamMember, suspendTeamMember } from "@purser/contract/users/team";
import { expect, test } from "vitest";
import { sized } from "../../runs.testing.ts";
import { testProduct } from "../../testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;

type Person = { cookie: string };

const versionOf = async (id: string): Promise<number> => {
  const { rows } = await owner.query("select version from users where id = $1", [id]);
  return rows[0].version;
};

const giveRole = async (boss: Person, id: string, role: "owner" | "admin" | "viewer") =>
  call(boss, changeTeamMember, {
    params: { id },
    body: { name: "Robin", role },
    version: await versionOf(id),
  });

const suspend = async (boss: Person, id: string) =>
  call(boss, suspendTeamMember, { params: { id }, body: {}, version: await versionOf(id) });

const statusOf = async (person: Person) => (await call(person, getSession)).status;

/** Exactly two active owners, with a session each. */
const twoOwners = async () => {
  const [one, two] = [await signIn("owner", "Robin"), await signIn("owner", "Robin")];
  await owner.query(
    "update users set role = 'viewer' where role = 'owner' and id not in ($1, $2)",
    [one.id, two.id],
  );
  return [one, two] as const;
};

const countOwners = async () =>
  (await owner.query("select from users where role = 'owner' and status = 'active'")).rowCount;

const demoteEachOther = async () => {
  const [one, two] = await twoOwners();
  const [first, second] = [await owner.connect(), await owner.connect()];
  const demote = "update users set role = 'viewer' where id = $1";
  for (const [client, { id }] of [
    [first, one],
    [second, two],
  ] as const) {
    await client.query("begin");
    await client.query(demote, [id]);
  }
  const results = await Promise.allSettled([first.query("commit"), second.query("commit")]);
  first.release();
  second.release();
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { constraint: "problem_last_owner__last_owner_required" },
  });
  expect(await countOwners()).toBe(1);
};

const races = sized({ gate: 20, nightly: 50 });

test(`I16 refuses one of two transactions that each see the other's owner, ${races} times`, async () => {
  for (let round = 0; round < races; round += 1) await demoteEachOther();
});

test.each([
  "update users set role = 'viewer' where role = 'owner'",
  "update users set role = null where role = 'owner'",
  "update users set status = 'suspended' where role = 'owner'",
  "update users set status = 'erased'",
  "delete from users where role = 'owner'",
])("I16 refuses raw SQL that removes the last owner: %s", async (statement) => {
  const [one, two] = await twoOwners();
  // Sessions reference their user and would stop the deletion before the rule does.
  await owner.query("delete from sessions where user_id in ($1, $2)", [one.id, two.id]);
  await expect(owner.query(statement)).rejects.toMatchObject({
    constraint: "problem_last_owner__last_owner_required",
  });
  expect(await countOwners()).toBe(2);
});

test("I16 two owners who remove each other at the same time both need approval", async () => {
  const [one, two] = await twoOwners();
  const answers = await Promise.all([giveRole(one, two.id, "viewer"), suspend(two, one.id)]);
  for (const { status, body } of answers)
    expect([status, body["type"]]).toEqual([409, "urn:purser:problem:approval_required"]);
  expect(await countOwners()).toBe(2);
});

test("I16 refuses to change one's own role or to suspend oneself", async () => {
  const [boss] = await twoOwners();
  for (const refused of [await giveRole(boss, boss.id, "viewer"), await suspend(boss, boss.id)])
    expect([refused.status, refused.body["type"]]).toEqual([409, "urn:purser:problem:own_account"]);
  for (const role of ["admin", "viewer"] as const) {
    const person = await signIn(role);
    expect((await giveRole(person, person.id, "owner")).status).toBe(403);
    expect((await suspend(person, person.id)).status).toBe(403);
  }
  expect(await statusOf(boss)).toBe(200);
});
