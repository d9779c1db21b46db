import type { Holder, Role } from "@purser/contract/auth/permissions";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { existing, invalidAt, notFound, Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { mayKnow } from "../users/customers/rules.ts";
import { lockOrInsertCustomer } from "../users/queries.ts";
import type { UserStatus } from "./explanation/answer.ts";

export type Customer = {
  id: string;
  name: string;
  email: string;
  status: UserStatus;
  role: Role | null;
};

const records = statement(
  "entitlements.records",
  `select u.id, u.name, u.email, u.status, u.role, u.merged_into as "mergedInto" from users u`,
);
const oneRecord = records.with("where u.id = $1 and not u.is_service");
const severalRecords = records.with("where u.id = any ($1::uuid[]) and not u.is_service");

type Row = RowOf<typeof records>;

export const findRecord = (db: Db, id: string) => first(db, oneRecord, [id]);

/** The user with this ID, if the caller is allowed to see them. */
export const findVisible = async (db: Db, id: string, caller: Holder) => {
  const row = await findRecord(db, id);
  return row && mayKnow(caller, row) ? row : undefined;
};

/** A user that the caller is allowed to see. */
export const readRecord = async (db: Db, id: string, caller: Holder) =>
  existing(await findVisible(db, id, caller), "customer");

const findMergedFromSql = statement(
  "entitlements.findMergedFrom",
  "select id, name, email from users where merged_into = $1 order by id",
);

/** The records that were merged into this one. */
export const findMergedFrom = (db: Db, id: string) => run(db, findMergedFromSql, [id]);

/** Follows merges from the chosen record to the one that still exists. */
export const survivorOf = (first: string) => `
  with recursive chain as (
    (${first})
    union all
    select u.id, u.merged_into from chain m join users u on u.id = m.merged_into
  ) select id from chain where merged_into is null`;

const byAnyId = survivorOf(`
  select u.id, u.merged_into from users u
  join lateral (values (u.external_id = $1, 1), (u.id::text = lower($1), 2), (u.email = lower($1), 3))
    as way (is_it, place) on way.is_it
  where u.external_id = $1 or u.id = $2 or u.email = lower($1)
  order by way.place limit 1`);

const resolveUserSql = statement(
  "entitlements.resolveUser",
  `select u.id, u.status, u.role from users u join (${byAnyId}) found on found.id = u.id`,
);

export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Resolves a user by the app's own ID, ours or the email address. */
export const resolveUser = (db: Db, identifier: string) =>
  first(db, resolveUserSql, [identifier, isUuid(identifier) ? identifier : null]);

const byEmail = survivorOf("select id, merged_into from users where email = lower($1)");

const findByEmailSql = statement("entitlements.findByEmail", byEmail).narrow<{
  id: string;
}>();

/** The user that `lockCustomer` would choose for an email address, if the caller is allowed to see them. */
export const findByEmail = async (db: Db, email: string, caller: Holder) => {
  const row = await first(db, findByEmailSql, [email]);
  return row && (await findVisible(db, row.id, caller));
};

export type Named = { user?: string | undefined; email?: string | undefined };

/** A team member whom the caller may not see is refused like an unknown customer. */
const readNamed = async (db: Db, user: string, caller: Holder) => {
  const found = await resolveUser(db, user);
  const visible = found && (await findVisible(db, found.id, caller));
  if (visible) return visible;
  throw invalidAt(
    "/user",
    message("customer_unknown", "No customer has this ID. Create the customer first."),
  );
};

/** The customer who buys, if there is one with this address. */
export const findBuyer = async (db: Db, { user, email }: Named, caller: Holder) => {
  if (user !== undefined) return readNamed(db, user, caller);
  return email === undefined ? undefined : findByEmail(db, email, caller);
};

/** Locks records in a fixed order, so that concurrent requests can't deadlock. */
export const lockRecords = async (db: Db, ids: readonly string[]) => {
  await run(db, "select from users where id = any ($1::uuid[]) order by id for no key update", [
    ids,
  ]);
  return new Map((await run(db, severalRecords, [ids])).map((row) => [row.id, row]));
};

/** Locks the record that a merged one became part of. Checks again after the lock, because it may be merged too. */
const lockSurvivor = async (db: Db, mergedInto: string): Promise<Row> => {
  const row = existing((await lockRecords(db, [mergedInto])).get(mergedInto), "customer");
  return row.mergedInto === null ? row : lockSurvivor(db, row.mergedInto);
};

const lockById = async (db: Db, id: string) => {
  const row = existing(await findRecord(db, id), "customer");
  return lockSurvivor(db, row.mergedInto ?? id);
};

type Identity = { userId?: string | undefined; email?: string | undefined };

const findMergedSql = statement(
  "entitlements.findMerged",
  "select id from users where email = $1 and merged_into is not null",
);

/**
 * Locks a customer by ID, or by an email address that may be new. For a merged record it returns the one that it
 * became part of, even if the merge happens concurrently.
 */
export const lockCustomer = async (db: Db, { userId, email }: Identity): Promise<Customer> => {
  if (userId !== undefined) return lockById(db, userId);
  if (email === undefined)
    throw new Problem("invalid", message("customer_required", "Choose a customer."));
  const known = await lockOrInsertCustomer(db, email);
  if (known) return known;
  const merged = await first(db, findMergedSql, [email]);
  if (merged) return lockById(db, merged.id);
  // Another transaction inserted the customer in the meantime, so that now there is one.
  return existing(await lockOrInsertCustomer(db, email), "customer");
};

/** Hides names and IDs of team members from a caller who may not be allowed to see them. */
export const assertMayKnow = (
  caller: Holder,
  customer: Customer,
  { userId }: Pick<Identity, "userId"> = {},
) => {
  if (mayKnow(caller, customer)) return;
  if (userId !== undefined) throw notFound("customer");
  throw invalidAt(
    "/email",
    message(
      "email_not_of_customer",
      "This email address can't be used for a customer. Choose another one.",
    ),
  );
};

/** By the ID in Purser, if the customer is named by any other. */
export const identityOf = async (
  db: Db,
  { user, email }: Named,
  caller: Holder,
): Promise<Identity> =>
  user === undefined ? { email } : { userId: (await readNamed(db, user, caller)).id };

/** As `lockCustomer`, for a caller who may not be allowed to see team members. */
export const lockCustomerFor = async (db: Db, caller: Holder, identity: Identity) => {
  const customer = await lockCustomer(db, identity);
  assertMayKnow(caller, customer, identity);
  return customer;
};
