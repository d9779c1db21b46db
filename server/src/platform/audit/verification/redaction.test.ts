import { changeApp, createApp } from "@purser/contract/apps/endpoints";
import { afterAll, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { transact } from "../context.ts";
import { redactActor, redactRecord } from "../redact.ts";
import { sealAudit } from "./seals.ts";
import { openTampering } from "./tampering.testing.ts";
import { verifyAudit } from "./verify.ts";

const { call, signIn, owner, database, platform } = await testProduct();
const admin = await signIn("admin", "Ada Admin");
const now = new Date();
const { tampered, close } = await openTampering(database.url);
afterAll(close);

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

test("I14 erases values, keeps the hashes, and verifies the chain", async () => {
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

test("T26 protects the rest of an erased entry, and the erasure", async () => {
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

test("verifies after erasing twice, other columns, and columns without their own hash", async () => {
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

test("I14 erases the actor from all their entries and verifies the chain", async () => {
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

test("T26 refuses to erase without an actor, and to erase the id of the row", async () => {
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
