import { getSession } from "@purser/contract/auth/session";
import { signInWithCode } from "@purser/contract/auth/signIn";
import {
  changeTeamMember,
  getTeamMember,
  restoreTeamMember,
  suspendTeamMember,
} from "@purser/contract/users/team";
import { expect, test } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { sized } from "../../runs.testing.ts";
import { testProduct } from "../../testing.ts";
import {
  addPerson,
  addPersonWithCode,
  addUsers,
  codeAt,
  holdSignIn,
  movableClock,
  newAddress,
  startCode,
} from "./testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner, signIn, startSession } = product;

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

const readTeamMember = async (person: Person, id: string) =>
  (await call(person, getTeamMember, { params: { id } })).status;

const statusOf = async (person: Person) => (await call(person, getSession)).status;

test("T14 ends the sessions of a user with a new role, not with a new name", async () => {
  const boss = await signIn("owner");
  const admin = await signIn("admin", "Robin");
  const bystander = await signIn("admin");
  expect((await giveRole(boss, admin.id, "admin")).status).toBe(200);
  expect(await readTeamMember(admin, admin.id)).toBe(200);
  expect((await giveRole(boss, admin.id, "viewer")).status).toBe(200);
  expect(await readTeamMember(admin, admin.id)).toBe(401);
  expect(await statusOf(bystander)).toBe(200);
  expect(await statusOf(boss)).toBe(200);
  const again = { cookie: await startSession(admin.id) };
  expect(await readTeamMember(again, admin.id)).toBe(403);
});

test("T14 ends the sessions of a suspended user, and reactivation restores none", async () => {
  const boss = await signIn("owner");
  const { id } = await addPerson(product, { role: "admin" });
  const admin = { cookie: await startSession(id) };
  expect((await suspend(boss, id)).status).toBe(200);
  expect(await statusOf(admin)).toBe(401);
  const version = await versionOf(id);
  const restored = await call(boss, restoreTeamMember, { params: { id }, body: {}, version });
  expect([restored.status, restored.body.status]).toEqual([200, "active"]);
  expect(await statusOf(admin)).toBe(401);
});

test.each([
  ["role", "update users set role = 'viewer' where id = $1"],
  ["role to none", "update users set role = null where id = $1"],
  ["status", "update users set status = 'suspended' where id = $1"],
])(
  "T14 raw SQL that changes the %s ends the sessions in its own transaction",
  async (_, change) => {
    const admin = await signIn("admin");
    const sessions = "select from sessions where user_id = $1";
    const client = await owner.connect();
    try {
      await client.query("begin");
      await client.query(change, [admin.id]);
      expect((await client.query(sessions, [admin.id])).rowCount).toBe(0);
      expect(await readTeamMember(admin, admin.id), "nothing is committed yet").toBe(200);
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect(await readTeamMember(admin, admin.id), "nothing was committed").toBe(200);
    await owner.query(change, [admin.id]);
    expect(await readTeamMember(admin, admin.id)).toBe(401);
  },
);

test("T14 ends a sign-in that waits for its code when the role changes", async () => {
  const boss = await signIn("owner");
  const person = await addPersonWithCode(product, clock);
  const challenge = await startCode(product, person.email);
  expect((await giveRole(boss, person.id, "admin")).status).toBe(200);
  const code = codeAt(person.secret, clock.now());
  const answer = await call(null, signInWithCode, {
    body: { challenge, code },
    address: newAddress(),
  });
  expect(answer.status).toBe(401);
});

test("T14 refuses a user who is suspended while signing in like an unknown one", async () => {
  const boss = await signIn("owner");
  const { id, email } = await addPerson(product);
  const release = await holdSignIn(product, email);
  expect((await suspend(boss, id)).status).toBe(200);
  const entered = await release();
  expect([entered.status, entered.cookies]).toEqual([401, []]);
});

type Asked = { before: number; after: number; late: number };

/** Sessions that send privileged requests while their user is demoted or suspended. */
const raceDemotion = async (boss: Person, id: string, demote: typeof suspend, sessions: number) => {
  let committedAt = Number.POSITIVE_INFINITY;
  const asked: Asked = { before: 0, after: 0, late: 0 };
  const ask = async (person: Person, entered: () => void) => {
    for (let after = 0; after < 2; ) {
      const startedAt = performance.now();
      const status = await readTeamMember(person, id);
      if (startedAt > committedAt) {
        after += 1;
        asked.after += 1;
        if (status === 200) asked.late += 1;
      } else if (status === 200) {
        asked.before += 1;
        entered();
      }
    }
  };
  const cookies = await Promise.all(Array.from({ length: sessions }, () => startSession(id)));
  const running: Promise<void>[] = [];
  await Promise.all(
    cookies.map((cookie) => new Promise<void>((entered) => running.push(ask({ cookie }, entered)))),
  );
  const demoted = await demote(boss, id);
  // By then the commit is over: what starts from here on started after it.
  committedAt = performance.now();
  expect(demoted.status).toBe(200);
  await Promise.all(running);
  return asked;
};

const peopleCount = sized({ gate: 20, nightly: 100 });

test(
  "T14 no privileged call that starts after a demotion's commit succeeds",
  async ({ annotate }) => {
    const boss = await signIn("owner");
    const people = await addUsers(product, peopleCount, { role: "admin", secured: false });
    const demotions = [suspend, (by: Person, id: string) => giveRole(by, id, "viewer")] as const;
    const total: Asked = { before: 0, after: 0, late: 0 };
    const atOnce = 5;
    for (let first = 0; first < people.length; first += atOnce) {
      const races = people
        .slice(first, first + atOnce)
        .map(({ id }, index) => raceDemotion(boss, id, demotions[index % 2] ?? suspend, 10));
      for (const { before, after, late } of await Promise.all(races)) {
        total.before += before;
        total.after += after;
        total.late += late;
      }
    }
    await annotate(`${peopleCount} people, 10 sessions each: ${JSON.stringify(total)}`);
    expect(total.before).toBeGreaterThanOrEqual(peopleCount * 10);
    expect(total.after).toBe(peopleCount * 10 * 2);
    expect(total.late).toBe(0);
  },
  patiently(Math.max(60_000, peopleCount * 600)),
);
