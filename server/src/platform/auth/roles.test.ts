import { randomUUID } from "node:crypto";
import type { Endpoint } from "@purser/contract/endpoint";
import { endpoints } from "@purser/contract/endpoints";
import { getSession, signInWithCode } from "@purser/contract/session";
import {
  changeStaffMember,
  getStaffMember,
  restoreStaffMember,
  suspendStaffMember,
} from "@purser/contract/staff";
import { expect, test } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { sized } from "../../runs.testing.ts";
import { testProduct } from "../../testing.ts";
import {
  addPeople,
  addPerson,
  addPersonWithCode,
  codeAt,
  holdSignIn,
  movableClock,
  newAddress,
  startCode,
} from "./testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { app, call, owner, signIn, startSession } = product;

type Person = { cookie: string };

const versionOf = async (id: string): Promise<number> => {
  const { rows } = await owner.query("select version from users where id = $1", [id]);
  return rows[0].version;
};

const giveRole = async (boss: Person, id: string, role: "owner" | "admin" | "viewer") =>
  call(boss, changeStaffMember, {
    params: { id },
    body: { name: "Robin", role },
    version: await versionOf(id),
  });

const suspend = async (boss: Person, id: string) =>
  call(boss, suspendStaffMember, { params: { id }, body: {}, version: await versionOf(id) });

const readStaff = async (person: Person, id: string) =>
  (await call(person, getStaffMember, { params: { id } })).status;

const statusOf = async (person: Person) => (await call(person, getSession)).status;

test("T14 a new role ends the person's sessions; a new name does not", async () => {
  const boss = await signIn("owner");
  const admin = await signIn("admin", "Robin");
  const bystander = await signIn("admin");
  expect((await giveRole(boss, admin.id, "admin")).status).toBe(200);
  expect(await readStaff(admin, admin.id)).toBe(200);
  expect((await giveRole(boss, admin.id, "viewer")).status).toBe(200);
  expect(await readStaff(admin, admin.id)).toBe(401);
  expect(await statusOf(bystander)).toBe(200);
  expect(await statusOf(boss)).toBe(200);
  const again = { cookie: await startSession(admin.id) };
  expect(await readStaff(again, admin.id)).toBe(403);
});

test("T14 a suspension ends the person's sessions, and being let in again revives none", async () => {
  const boss = await signIn("owner");
  const { id } = await addPerson(product, { role: "admin" });
  const admin = { cookie: await startSession(id) };
  expect((await suspend(boss, id)).status).toBe(200);
  expect(await statusOf(admin)).toBe(401);
  const version = await versionOf(id);
  const restored = await call(boss, restoreStaffMember, { params: { id }, body: {}, version });
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
      expect(await readStaff(admin, admin.id), "nothing is committed yet").toBe(200);
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect(await readStaff(admin, admin.id), "nothing was committed").toBe(200);
    await owner.query(change, [admin.id]);
    expect(await readStaff(admin, admin.id)).toBe(401);
  },
);

test("T14 a sign-in that waits for its code ends with the role as well", async () => {
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

test("T14 whoever is suspended while signing in is refused like any stranger", async () => {
  const boss = await signIn("owner");
  const { id, email } = await addPerson(product);
  const release = await holdSignIn(product, email);
  expect((await suspend(boss, id)).status).toBe(200);
  const entered = await release();
  expect([entered.status, entered.cookies]).toEqual([401, []]);
});

type Asked = { before: number; after: number; late: number };

/** Sessions that keep asking for something privileged while their person is demoted or suspended. */
const raceDemotion = async (boss: Person, id: string, demote: typeof suspend, sessions: number) => {
  let committedAt = Number.POSITIVE_INFINITY;
  const asked: Asked = { before: 0, after: 0, late: 0 };
  const ask = async (person: Person, entered: () => void) => {
    for (let after = 0; after < 2; ) {
      const startedAt = performance.now();
      const status = await readStaff(person, id);
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
    const people = await addPeople(product, peopleCount, { role: "admin", secured: false });
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

const races = sized({ gate: 20, nightly: 50 });

test(`I16 of two owners who remove each other at the same moment exactly one succeeds, ${races} times`, async () => {
  const refusals: unknown[] = [];
  for (let round = 0; round < races; round += 1) {
    const [one, two] = await twoOwners();
    const answers = await Promise.all([
      giveRole(one, two.id, "viewer"),
      round % 2 === 0 ? giveRole(two, one.id, "viewer") : suspend(two, one.id),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await countOwners()).toBe(1);
    refusals.push(...answers.map(({ status, body }) => (status === 200 ? "" : body["type"])));
  }
  // A session that ended before the second could ask proves nothing about the race.
  expect(refusals).toContain("urn:purser:problem:last_owner");
});

test("I16 two transactions that each see the other's owner cannot both commit", async () => {
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
    reason: { constraint: "problem_last_owner" },
  });
  expect(await countOwners()).toBe(1);
});

test.each([
  "update users set role = 'viewer' where role = 'owner'",
  "update users set role = null where role = 'owner'",
  "update users set status = 'suspended' where role = 'owner'",
  "update users set status = 'erased'",
  "delete from users where role = 'owner'",
])("I16 raw SQL cannot remove the last owner: %s", async (statement) => {
  const [one, two] = await twoOwners();
  // Sessions refer to their person and would stop a deletion before the rule does.
  await owner.query("delete from sessions where user_id in ($1, $2)", [one.id, two.id]);
  await expect(owner.query(statement)).rejects.toMatchObject({ constraint: "problem_last_owner" });
  expect(await countOwners()).toBe(2);
});

test("I16 the last owner cannot be demoted through the API either, and one more owner frees the way", async () => {
  const [boss, other] = await twoOwners();
  expect((await giveRole(boss, other.id, "admin")).status).toBe(200);
  expect(await countOwners()).toBe(1);
  const successor = await addPerson(product, { role: "admin" });
  expect((await giveRole(boss, successor.id, "owner")).status).toBe(200);
  const promoted = { cookie: await startSession(successor.id) };
  expect((await giveRole(promoted, boss.id, "viewer")).status).toBe(200);
  expect(await countOwners()).toBe(1);
});

test("I16 nobody changes their own role or suspends themselves", async () => {
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

/** Every unsafe call that a browser can make with its cookies. */
const unsafe = Object.entries(endpoints).filter(
  ([, { method, permission }]) =>
    method !== "GET" && permission !== "app key" && permission !== "provider",
);

type Target = Person & { id: string; ids: Record<string, string> };

const bodiesFor = ({ id }: Target): Record<string, object> => ({
  createApp: { code: "harbor", name: "Harbor" },
  forgotPassword: { email: "somebody@example.com" },
  inviteStaffMember: { email: "new@example.com", name: "New", role: "owner" },
  saveDraft: { userId: id, version: 0, base: {}, values: { name: "Harbor" } },
});

/** A request that would do something, if only it came from our own pages. */
const send = (
  target: Target,
  [name, { method, path }]: [string, Endpoint],
  headers: Record<string, string>,
) =>
  app.inject({
    method,
    url: `/api${path.replace(/:(\w+)/g, () => target.ids[path.split("/")[1] ?? ""] ?? randomUUID())}`,
    headers: {
      cookie: target.cookie,
      "idempotency-key": randomUUID(),
      "if-match": '"1"',
      "content-type": "application/json",
      ...headers,
    },
    payload: JSON.stringify(bodiesFor(target)[name] ?? {}),
    remoteAddress: newAddress(),
  });

/** Every row of every table, down to which transaction wrote it. */
const readEverything = async () => {
  const { rows } = await owner.query<{ rows: string }>(`
    select format('select %L as name, md5(string_agg(t.xmin || t::text, chr(10) order by t::text)) as rows from %s t',
      oid::regclass, oid::regclass) as rows
    from pg_class where relkind = 'r' and (relnamespace = 'public'::regnamespace or oid = 'pgboss.job_common'::regclass)`);
  const all = await owner.query(rows.map(({ rows: text }) => text).join(" union all "));
  return all.rows;
};

const makeTarget = async (): Promise<Target> => {
  const boss = await signIn("owner");
  const { rows } = await owner.query<{ id: string }>(
    "insert into apps (code, name) values ($1, 'Ship') returning id",
    [`ship-${randomUUID()}`],
  );
  const person = await addPerson(product);
  return { ...boss, ids: { apps: rows[0]?.id ?? "", staff: person.id } };
};

const foreign: [string, Record<string, string>][] = [
  ["from another origin", { origin: "https://evil.example" }],
  ["from an origin that starts like ours", { origin: "http://localhost:3000.evil.example" }],
  ["from our host at another port", { origin: "http://localhost:3001" }],
  ["from a sandboxed frame", { origin: "null" }],
  ["with no origin", {}],
  ["from another site by a browser's word", { "sec-fetch-site": "cross-site" }],
  ["from a sister site by a browser's word", { "sec-fetch-site": "same-site" }],
  [
    "from another origin that calls itself ours",
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ],
  [
    "from our origin by its word and from another site by the browser's",
    { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
  ],
];

test.each(foreign)("T19 no unsafe request %s has any effect", async (_, headers) => {
  const target = await makeTarget();
  const before = await readEverything();
  const through = [];
  for (const entry of unsafe) {
    const { statusCode, body } = await send(target, entry, headers);
    const { type } = body ? JSON.parse(body) : { type: "" };
    if (statusCode !== 403 || type !== "urn:purser:problem:cross_site")
      through.push([entry[0], statusCode, type]);
  }
  expect(through).toEqual([]);
  expect(await readEverything()).toEqual(before);
});

const forms = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
];

test.each(forms)("T19 no unsafe request with a body of %s has any effect", async (type) => {
  const target = await makeTarget();
  const before = await readEverything();
  const through = [];
  for (const entry of unsafe) {
    const headers = { origin: "http://localhost:3000", "content-type": type };
    const { statusCode } = await send(target, entry, headers);
    if (statusCode !== 415) through.push([entry[0], statusCode]);
  }
  expect(through).toEqual([]);
  expect(await readEverything()).toEqual(before);
});

test("T19 the same requests from our own pages are let through and do change rows", async () => {
  expect(unsafe.length).toBeGreaterThan(20);
  const changed = [];
  const targets = await Promise.all(unsafe.map(makeTarget));
  let before = JSON.stringify(await readEverything());
  for (const [place, target] of targets.entries()) {
    const entry = unsafe[place];
    if (!entry) throw new Error("Each request has a target of its own.");
    const { statusCode } = await send(target, entry, { origin: "http://localhost:3000" });
    expect([403, 415], entry[0]).not.toContain(statusCode);
    const after = JSON.stringify(await readEverything());
    if (after !== before) changed.push(entry[0]);
    before = after;
  }
  for (const name of [
    "createApp",
    "activateApp",
    "deleteApp",
    "inviteStaffMember",
    "signOut",
    "saveDraft",
  ])
    expect(changed).toContain(name);
  for (const name of ["forgotPassword", "suspendStaffMember", "startPasskeySignIn"])
    expect(changed).toContain(name);
});
