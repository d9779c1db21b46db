import { createApp } from "@purser/contract/apps/endpoints";
import { afterAll, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { sealAudit } from "./seals.ts";
import { openTampering } from "./tampering.testing.ts";
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

const { tampered, close } = await openTampering(database.url);
afterAll(close);

const entryOf = async (code: string) =>
  (await owner.query("select id from audit_entries where after ->> 'code' = $1", [code])).rows[0]
    .id;

const digestAnew = (e: string) =>
  `sha256(audit_open_digest(${e}) || audit_personal_digest(${e}, (${e}).salt))`;

test("I14 verifies the chain, and names what was altered, removed or inserted", async () => {
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

test("T26 protects every column of an entry with its hash", async () => {
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

test("verifies entries from before hashes had two parts", async () => {
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

test("resumes a stopped verification and stores the result", async () => {
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
