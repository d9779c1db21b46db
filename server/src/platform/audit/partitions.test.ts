import { changeApp, createApp, getApp } from "@purser/contract/apps/endpoints";
import { getAppActivity, listActivity, listAudit } from "@purser/contract/workspace/audit";
import { expect, onTestFinished, test } from "vitest";
import { connectAsOwner } from "#platform/db/db.ts";
import { partitionsRead, rowsByPartition } from "#platform/db/partitions.testing.ts";
import { createPartitions } from "#platform/db/partitions.ts";
import { atEnd, testProduct } from "#testing.ts";
import { transact } from "./context.ts";
import { redactRecord } from "./redact.ts";
import { removeMonths, removeSeals, setRetention } from "./retention.ts";
import { sealAudit } from "./verification/seals.ts";
import { openTampering } from "./verification/tampering.testing.ts";
import {
  beginVerifying,
  recordVerification,
  verifyAudit,
  verifyOn,
} from "./verification/verify.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const { db } = platform;
const admin = await signIn("admin");

const newApp = async (code: string) => {
  const made = await call(admin, createApp, { body: { code, name: code } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
};

const rename = async (id: string, name: string) => {
  const { version, code } = (await call(admin, getApp, { params: { id } })).body;
  const changed = await call(admin, changeApp, { params: { id }, version, body: { code, name } });
  expect(changed.status, changed.text).toBe(200);
};

const { db: ownerDb } = connectAsOwner(product.config.DATABASE_URL);
atEnd(() => ownerDb.destroy());

// Months are only divided if they are removed one day.
await setRetention(ownerDb, 1200);

/** The time of an entry is part of its hash, so it is only changed before the entry is sealed. */
const backdate = (days: number) =>
  owner.query(`
    set session_replication_role = replica;
    update audit_entries set at = at - interval '${days} days' where id in (select entry_id from audit_unsealed);
    update audit_entries e set hash = audit_digest(e) where id in (select entry_id from audit_unsealed);
    reset session_replication_role`);

/** As if the current month had begun before, and a worker sees the new one. */
const startMonth = async (days: number) => {
  await owner.query(`update audit_months set starts_at = starts_at - interval '${days} days'`);
  while ((await createPartitions(db)) > 0);
};

const verify = async () => {
  const { place, broken } = await verifyOn(db, await beginVerifying(db, new Date()));
  await recordVerification(db, place, broken);
  return broken;
};

const asOwner = async (text: string) => (await owner.query(text)).rows;

// A record's id begins with its time.
const [{ id: old }] = (
  await owner.query<{ id: string }>(
    `insert into apps (id, code, name) values (uuid_v7(now() - interval '70 days'), 'old-one', 'Old') returning id`,
  )
).rows as [{ id: string }];
await backdate(70);
await sealAudit(db);
await rename(old, "Old, renamed");
await backdate(70);
// Sealed in the next month, together with its entries.
await startMonth(70);
await newApp("middle-one");
await rename(old, "Old, renamed again");
await sealAudit(db);
await startMonth(32);
const recent = await newApp("recent-one");
await rename(old, "Old, renamed today");
await sealAudit(db);
const [, second = "", third = ""] = (
  await asOwner("select first_id as id from audit_months order by first_id")
).map(({ id }) => String(id));

test("I14 entries of different months are in different partitions", async () => {
  const counts = await rowsByPartition(owner, "audit_entries");
  expect(Object.keys(counts)).toEqual([second, third, "first"]);
  expect(counts).toMatchObject({ [second]: 2, [third]: 2 });
  expect(await createPartitions(db)).toBe(0);
  const [{ ahead }] = (await asOwner(
    `select count(*)::int as ahead from partitions_of('audit_entries') p
     where p.lower::bigint > ${third} and p.upper is not null`,
  )) as [{ ahead: number }];
  expect(ahead).toBeGreaterThanOrEqual(1);
});

test("I14 the log, a record's history and the activity page through all months", async () => {
  const ids = (await asOwner("select id from audit_entries order by id desc")).map(({ id }) => id);
  const page = async (after?: string) =>
    (await call(admin, listAudit, { query: { size: "10", ...(after && { after }) } })).body;
  const first = await page();
  const listed = first.next ? [...first.items, ...(await page(first.next)).items] : first.items;
  expect(listed.map(({ id }) => id)).toEqual(ids.slice(0, listed.length));
  expect(listed.length).toBe(Math.min(ids.length, 20));
  const history = await call(admin, getAppActivity, { params: { id: old } });
  expect(history.body.items.map(({ changes }) => changes.at(0)?.after)).toEqual([
    "Old, renamed today",
    "Old, renamed again",
    "Old, renamed",
    expect.anything(),
  ]);
  const activity = (await call(admin, listActivity)).body.items.map(({ id }) => id);
  expect(activity).toEqual(expect.arrayContaining(history.body.items.map(({ id }) => id)));
});

test("I14 statements read only the partitions that they need", async () => {
  const read = (text: string, values?: unknown[]) =>
    partitionsRead(owner, "audit_entries", text, values);
  const byId = "select * from audit_entries r where r.id = $1::bigint";
  expect(await read(byId, [second])).toEqual([second]);
  const newestFirst = await read("select * from audit_entries r order by r.id desc limit 2");
  expect(newestFirst).toContain(third);
  expect(newestFirst).not.toContain(second);
  expect(newestFirst).not.toContain("first");
  const history = `
    select e.id from unnest($1::text[], $2::uuid[]) as wanted (entity, record_id) cross join lateral (
      select * from audit_entries where entity = wanted.entity and record_id = wanted.record_id
        and id < 9223372036854775807 and id >= (select audit_since(($2::uuid[])[1]))
        and id <= (select max(id) from audit_entries) order by id desc limit 26
    ) e`;
  // The ids of these apps have today's date.
  const ofRecent = await read(history, [["apps"], [recent]]);
  expect(ofRecent).toContain(third);
  expect(ofRecent).not.toContain("first");
  expect(await read(history, [["apps"], ["00000000-0000-7000-8000-000000000001"]])).toContain(
    "first",
  );
  const sinceNow = await read("select * from audit_entries where id >= audit_since(now())");
  expect(sinceNow).not.toContain(second);
});

test("I14 the chain across months verifies, and tampering in any month is found", async () => {
  expect(await verify()).toBeNull();
  const { tampered, close } = await openTampering(product.config.DATABASE_URL);
  onTestFinished(close);
  for (const id of [second, third])
    expect(await tampered(`update audit_entries set reason = 'x' where id = ${id}`)).toEqual({
      what: "an entry was altered",
      number: id,
    });
  expect(await tampered(`delete from audit_entries where id = ${second}`)).toEqual({
    what: "an entry was removed",
    number: second,
  });
});

test("I14 nothing is removed by default, nor without a verification", async () => {
  await setRetention(ownerDb, null);
  expect(await removeMonths(db)).toBeNull();
  await setRetention(ownerDb, 1);
  await owner.query("delete from audit_verifications");
  await sealAudit(db);
  expect(await removeMonths(db)).toBeNull();
  expect(await rowsByPartition(owner, "audit_entries")).toHaveProperty("first");
  await setRetention(ownerDb, null);
});

test("I14 removed months leave a log that verifies, and tampering is still found", async () => {
  const context = {
    actor: { kind: "system" as const, id: null, name: "test" },
    address: null,
    requestId: null,
    reason: null,
  };
  // A redaction whose own entry stays, of entries that are removed.
  await transact(db, context, (transaction) =>
    redactRecord(transaction, { entity: "apps", id: old, columns: ["name"] }),
  );
  await setRetention(ownerDb, 1);
  await sealAudit(db);
  expect(await verify()).toBeNull();
  const before = await asOwner(
    `select id, hash from audit_entries where id >= ${second} order by id`,
  );
  // In transactions with an actor, as the job has them.
  const { result: last } = await transact(db, context, removeMonths);
  expect(Number(last)).toBe(Number(second) - 1);
  while ((await transact(db, context, removeSeals)).result > 0);

  const after = await asOwner(`select id, hash from audit_entries order by id`);
  expect(after.slice(0, before.length)).toEqual(before);
  const [removal] = await asOwner(
    "select entity, actor_name from audit_entries order by id desc limit 1",
  );
  expect(removal).toEqual({ entity: "audit_removals", actor_name: "test" });
  await sealAudit(db);
  expect(await verify()).toBeNull();
  expect(await verifyAudit(db, new Date())).toBeNull();
  expect(await asOwner("select what from audit_verify(1)")).toEqual([]);
  expect(await removeMonths(db)).toBeNull();

  const { tampered, close } = await openTampering(product.config.DATABASE_URL);
  onTestFinished(close);
  const [{ first }] = (await asOwner("select min(number)::int as first from audit_seals")) as [
    { first: number },
  ];
  const cases: [string[], object][] = [
    [[`update audit_entries set reason = 'x' where id = ${second}`], { number: second }],
    [[`delete from audit_entries where id = ${second}`], { number: second }],
    [
      [`update audit_seals set hash = sha256(hash) where number = ${first}`],
      { number: `${first}` },
    ],
    [[`delete from audit_seals where number = ${first}`], { what: "a seal was removed" }],
    [["update audit_removals set last_entry = last_entry + 1"], { what: "a removal was altered" }],
    [["update audit_removals set head = sha256(head)"], {}],
    [["delete from audit_removals"], {}],
    [["update audit_redactions set columns = '{}'"], { what: "a redaction was altered" }],
    [["delete from audit_redacted"], {}],
    [["delete from audit_removed"], { what: "an entry was removed" }],
    [
      ["update audit_removed set hash = sha256(hash)"],
      { what: "a seal does not match its entries" },
    ],
  ];
  for (const [statements, fault] of cases)
    expect(await tampered(...statements), statements[0]).toMatchObject(fault);
  expect(await newApp("after-removal")).toBeTruthy();
  await sealAudit(db);
  expect(await verify()).toBeNull();
});
