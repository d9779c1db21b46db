import type { Role } from "@purser/contract/auth/permissions";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { existing, notFound, Problem } from "#platform/http/problem.ts";
import { mayKnow } from "../users/customers/rules.ts";
import { lockOrInsertCustomer } from "../users/queries.ts";
import type { PersonStatus } from "./explanation/answer.ts";

type Known = { id: string; name: string; email: string; status: PersonStatus };

const records = statement(
  "entitlements.records",
  `select u.id, u.name, u.email, u.status, u.role, u.merged_into as "mergedInto" from users u`,
);
const oneRecord = records.with("where u.id = $1");
const severalRecords = records.with("where u.id = any ($1::uuid[])");

type Row = RowOf<typeof records>;

export const findRecord = (db: Db, id: string) => first(db, oneRecord, [id]);

/** Somebody that this caller may know of. */
export const readRecord = async (db: Db, id: string, { role }: { role: Role }) => {
  const row = existing(await findRecord(db, id), "person");
  if (!mayKnow(role, row)) throw notFound("person");
  return row;
};

const findMergedFromSql = statement(
  "entitlements.findMergedFrom",
  "select id, name, email from users where merged_into = $1 order by id",
);

/** The records that became part of this one. */
export const findMergedFrom = (db: Db, id: string) => run(db, findMergedFromSql, [id]);

/** A record that was merged is the one it became part of. */
const survivorOf = (first: string) => `
  with recursive meant as (
    (${first})
    union all
    select u.id, u.merged_into from meant m join users u on u.id = m.merged_into
  ) select id from meant where merged_into is null`;

const byAnyName = survivorOf(`
  select u.id, u.merged_into from users u
  join lateral (values (u.external_id = $1, 1), (u.id::text = lower($1), 2), (u.email = lower($1), 3))
    as way (is_it, place) on way.is_it
  where u.external_id = $1 or u.id = $2 or u.email = lower($1)
  order by way.place limit 1`);

const resolveCustomerIdSql = statement("entitlements.resolveCustomerId", byAnyName).narrow<{
  id: string;
}>();

/** Whom a sold app means by its own id, ours or an address. */
export const resolveCustomerId = async (db: Db, named: string) => {
  const row = await first(db, resolveCustomerIdSql, [
    named,
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(named) ? named : null,
  ]);
  return row?.id;
};

const byAddress = survivorOf("select id, merged_into from users where email = lower($1)");

const findByEmailSql = statement("entitlements.findByEmail", byAddress).narrow<{
  id: string;
}>();

/** Whoever gets what is given to an address, as `lockCustomer` has it. */
export const findByEmail = async (db: Db, email: string) => {
  const row = await first(db, findByEmailSql, [email]);
  return row && findRecord(db, row.id);
};

/** Several records, locked in one order, so that two who lock the same ones never wait for one another. */
export const lockRecords = async (db: Db, ids: readonly string[]) => {
  await run(db, "select from users where id = any ($1::uuid[]) order by id for no key update", [
    ids,
  ]);
  return new Map((await run(db, severalRecords, [ids])).map((row) => [row.id, row]));
};

/** The record that takes the place of one that was merged, locked; whoever merges that one meanwhile was waited for. */
const lockSurvivor = async (db: Db, mergedInto: string): Promise<Row> => {
  const row = existing((await lockRecords(db, [mergedInto])).get(mergedInto), "person");
  return row.mergedInto === null ? row : lockSurvivor(db, row.mergedInto);
};

const followed = async (db: Db, id: string) => {
  const row = existing(await findRecord(db, id), "person");
  return lockSurvivor(db, row.mergedInto ?? id);
};

type Named = { userId?: string | undefined; email?: string | undefined };

const lockCustomerSql = statement(
  "entitlements.lockCustomer",
  "select id from users where email = $1 and merged_into is not null",
);

/**
 * Whoever gets something: by id, or by an address that may be new. What is meant for a record that was merged goes to
 * the one it became part of, also when that happens meanwhile.
 */
export const lockCustomer = async (db: Db, { userId, email }: Named): Promise<Known> => {
  if (userId !== undefined) return followed(db, userId);
  if (email === undefined) throw new Problem("invalid", "Name the person.");
  const merged = await first(db, lockCustomerSql, [email]);
  if (merged) return followed(db, merged.id);
  const known = await lockOrInsertCustomer(db, email);
  const now = await findRecord(db, known.id);
  return now?.mergedInto ? lockSurvivor(db, now.mergedInto) : known;
};
