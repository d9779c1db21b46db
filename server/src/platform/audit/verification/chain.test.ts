import { changeApp, createApp } from "@purser/contract/apps/endpoints";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { transact } from "../context.ts";
import { redactActor, redactRecord } from "../redact.ts";
import { sealAudit } from "./seals.ts";
import { beginVerifying, recordVerification, verifyAudit, verifyOn } from "./verify.ts";

const { call, signIn, owner, database, platform } = await testProduct();
const admin = await signIn("admin", "Ada Admin");
const now = new Date();

const newApp = async (code: string) =>
  (await call(admin, createApp, { body: { code, name: code } })).body;

for (const code of ["chain-1", "chain-2", "chain-3"]) await newApp(code);
await sealAudit(platform.db);
await newApp("chain-4");
await sealAudit(platform.db);
await newApp("not-sealed-yet");

const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(() => client.end());

// Alterations only the owner of the tables could make; each is undone, so that the next stands alone.
const tampered = async (...statements: string[]) => {
  await client.query("begin; set local session_replication_role = replica");
  try {
    for (const statement of statements) await client.query(statement);
    return (await client.query("select what, number from audit_verify(1)")).rows[0];
  } finally {
    await client.query("rollback");
  }
};

const entryOf = async (code: string) =>
  (await owner.query("select id from audit_entries where after ->> 'code' = $1", [code])).rows[0]
    .id;

const digestAnew = (e: string) =>
  `sha256(audit_open_digest(${e}) || audit_personal_digest(${e}, (${e}).salt))`;

test("I14 the chain verifies, and what was altered, removed or slipped in is named", async () => {
  expect(await verifyAudit(platform.db, now)).toBeNull();
  const second = await entryOf("chain-2");
  expect(
    await tampered(`update audit_entries set after = after || '{"name":"x"}' where id = ${second}`),
  ).toEqual({ what: "an entry was altered", number: second });
  expect(
    await tampered(
      `update audit_entries set reason = 'x' where id = ${second}`,
      `update audit_entries e set hash = ${digestAnew("e")} where id = ${second}`,
    ),
  ).toEqual({ what: "a seal does not match its entries", number: "1" });
  const first = await entryOf("chain-1");
  expect(await tampered(`delete from audit_entries where id = ${first}`)).toEqual({
    what: "an entry was removed",
    number: first,
  });
  expect(await tampered("delete from audit_seals where number = 1")).toEqual({
    what: "a seal was removed",
    number: "1",
  });
  const waiting = await entryOf("not-sealed-yet");
  expect(await tampered(`delete from audit_unsealed where entry_id = ${waiting}`)).toEqual({
    what: "an entry is in no seal",
    number: waiting,
  });
  expect(await tampered(`delete from audit_entries where id = ${waiting}`)).toEqual({
    what: "an entry was removed",
    number: waiting,
  });
});

test("T26 every column of an entry is held by its hash", async () => {
  const id = await entryOf("chain-3");
  const alterations = {
    at: "at + interval '1 second'",
    entity: "'users'",
    record_id: "gen_random_uuid()",
    action: "'delete'",
    actor_kind: "'database'",
    actor_id: "null",
    actor_name: "'Somebody Else'",
    address: "'198.51.100.9'",
    request_id: "'other'",
    reason: "'another'",
    before: `'{"name":"x"}'`,
    after: `after || '{"status":"active"}'`,
    reverts: "1",
    personal: "'{name}'",
    salt: "uuid_send(gen_random_uuid())",
    hash: "sha256('')",
  };
  const { rows } = await owner.query(
    `select attname as name from pg_attribute
     where attrelid = 'audit_entries'::regclass and attnum > 0 and not attisdropped`,
  );
  expect([...Object.keys(alterations), "id"].sort()).toEqual(rows.map(({ name }) => name).sort());
  for (const [column, value] of Object.entries(alterations))
    expect(
      await tampered(`update audit_entries set ${column} = ${value} where id = ${id}`),
      column,
    ).toMatchObject({ what: expect.stringMatching(/^(an entry was altered|a seal does not)/) });
});

test("entries from before hashes were in two parts verify as they were made", async () => {
  const old = [
    "alter table audit_entries disable trigger audit_entries_stamp",
    `insert into audit_entries (entity, record_id, action, after, hash)
     values ('users', gen_random_uuid(), 'insert', '{"name":"Old"}', '')`,
    `update audit_entries e set hash = audit_digest(e) where hash = ''`,
    "insert into audit_unsealed select max(id) from audit_entries",
  ];
  expect(await tampered(...old)).toBeUndefined();
  const forged = `update audit_entries set after = '{"name":"New"}' where id = (select max(id) from audit_entries)`;
  expect(await tampered(...old, forged)).toMatchObject({ what: "an entry was altered" });
});

const context = {
  actor: { kind: "user" as const, id: admin.id, name: "Ada Admin" },
  address: "203.0.113.7",
  requestId: "erase-1",
  reason: "The person asked.",
};

const newPerson = async (name: string) => {
  const email = `${name.toLowerCase()}@example.com`;
  const { rows } = await owner.query(
    "insert into users (email, name) values ($1, $2) returning id",
    [email, name],
  );
  await owner.query("update users set name = $2 where id = $1", [rows[0].id, `${name} Newname`]);
  return rows[0].id as string;
};

const valuesOf = async (id: string) =>
  (
    await owner.query(
      "select before, after, salt, reason from audit_entries where record_id = $1 order by id",
      [id],
    )
  ).rows;

test("I14 what is erased leaves the log, the hashes stay, and the chain verifies", async () => {
  const id = await newPerson("Paula");
  await sealAudit(platform.db);
  const hashes = async () =>
    (await owner.query("select id, hash from audit_entries where record_id = $1 order by id", [id]))
      .rows;
  const before = await hashes();
  const { result } = await transact(platform.db, context, (db) =>
    redactRecord(db, { entity: "users", id, columns: ["name", "email"] }),
  );
  expect(result).toBe(2);
  const values = await valuesOf(id);
  expect(JSON.stringify(values)).not.toMatch(/paula/i);
  expect(values[1]).toMatchObject({
    before: { name: "erased", email: "erased", status: "invited" },
    after: { name: "erased", email: "erased" },
    salt: null,
  });
  expect(await hashes()).toEqual(before);
  expect(await verifyAudit(platform.db, now)).toBeNull();
  const { rows } = await owner.query(
    `select e.actor_name, e.after from audit_entries e join audit_redactions r on r.id = e.record_id
     where r.record_id = $1`,
    [id],
  );
  expect(rows).toMatchObject([
    { actor_name: "Ada Admin", after: { entity: "users", columns: ["name", "email"], entries: 2 } },
  ]);
});

test("T26 what is left of an erased entry is still held, and so is the erasing", async () => {
  const id = await newPerson("Quinn");
  await transact(platform.db, context, (db) =>
    redactRecord(db, { entity: "users", id, columns: ["name", "email"] }),
  );
  const entry = `id = (select min(id) from audit_entries where record_id = '${id}')`;
  const altered = { what: "an entry was altered" };
  for (const forged of [`{"status":"active"}`, `{"name":"Somebody"}`, `{"country":"PT"}`])
    expect(
      await tampered(`update audit_entries set after = after || '${forged}' where ${entry}`),
    ).toMatchObject(altered);
  const line = `entry_id = (select min(id) from audit_entries where record_id = '${id}')`;
  expect(await tampered(`delete from audit_redacted where ${line}`)).toMatchObject(altered);
  expect(
    await tampered(
      `update audit_entries set after = after || '{"name":"Forged"}' where ${entry}`,
      `update audit_redacted set remainder =
         (select audit_remainder(e, 'personal') from audit_entries e where ${entry}) where ${line}`,
    ),
  ).toMatchObject({ what: "a redaction was altered" });
  expect(
    await tampered(
      "update audit_redactions set columns = '{}' where number = (select max(number) from audit_redactions)",
    ),
  ).toMatchObject({ what: "a redaction was altered" });
  expect(
    await tampered(
      `delete from audit_redactions where number = (select max(number) from audit_redactions)`,
    ),
  ).toMatchObject({ what: "a redaction was removed" });
});

test("erasing twice, other columns, and what was never hashed apart, all verify", async () => {
  const id = await newPerson("Robin");
  const erase = (columns: string[]) =>
    transact(platform.db, context, (db) => redactRecord(db, { entity: "users", id, columns }));
  expect((await erase(["name"])).result).toBe(2);
  expect((await erase(["name"])).result).toBe(0);
  expect((await erase(["email", "status"])).result).toBe(2);
  expect(await verifyAudit(platform.db, now)).toBeNull();
  const scopes = await owner.query(
    `select r.redaction, r.scope from audit_redacted r join audit_entries e on e.id = r.entry_id
     where e.record_id = $1 order by 1`,
    [id],
  );
  expect(scopes.rows.map(({ scope }) => scope)).toEqual(["personal", "personal", "whole", "whole"]);
  expect(
    await tampered(
      `update audit_entries set after = after || '{"role":"owner"}' where record_id = '${id}'`,
    ),
  ).toMatchObject({ what: "an entry was altered" });
});

test("I14 who acted can be erased from everything they did, and the chain verifies", async () => {
  const leaver = await signIn("admin", "Lena Leaver");
  const { body } = await call(leaver, createApp, { body: { code: "by-lena", name: "By Lena" } });
  await call(leaver, changeApp, {
    params: { id: body.id },
    version: 1,
    body: { code: "by-lena", name: "Again", reason: "A better name." },
  });
  const { result } = await transact(platform.db, context, (db) => redactActor(db, leaver.id));
  expect(result).toBe(2);
  const { rows } = await owner.query(
    "select actor_id, actor_name, address, reason from audit_entries where record_id = $1 order by id",
    [body.id],
  );
  const nobody = { actor_id: leaver.id, actor_name: "erased", address: null };
  expect(rows).toEqual([
    { ...nobody, reason: null },
    { ...nobody, reason: "A better name." },
  ]);
  expect(await verifyAudit(platform.db, now)).toBeNull();
});

test("T26 nothing is erased without somebody who answers for it, nor what tells which row it was", async () => {
  const id = await newPerson("Sasha");
  await expect(
    redactRecord(platform.db, { entity: "users", id, columns: ["name"] }),
  ).rejects.toThrow("Somebody has to answer");
  await expect(
    transact(platform.db, context, (db) =>
      redactRecord(db, { entity: "users", id, columns: ["id"] }),
    ),
  ).rejects.toThrow("never erased");
});

test("a verification that is stopped goes on where it was, and what it found is kept", async () => {
  await owner.query(
    "insert into apps (code, name) select 'many-' || n, 'M' from generate_series(1, 12000) n",
  );
  await sealAudit(platform.db);
  const places = [];
  let place = await beginVerifying(platform.db, now);
  for (let ended = false; !ended; ) {
    const part = await verifyOn(platform.db, place, { goesOn: () => false });
    ({ place, ended } = part);
    expect(part.broken).toBeNull();
    places.push(place);
  }
  expect(places.length).toBeGreaterThan(4);
  expect(place).toMatchObject({ seal: place.lastSeal, entry: place.lastEntry });
  expect(await recordVerification(platform.db, place, null)).toMatch(/^[0-9a-f]{64}$/);
  const { rows } = await owner.query("select last_entry, broken_what from audit_verifications");
  expect(rows).toEqual([{ last_entry: String(place.lastEntry), broken_what: null }]);
});
