import type { ServiceAccount, ServiceAccountDetails } from "@purser/contract/users/serviceAccounts";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";

/** Valid keys are always shown, because there are few. */
const shownKeys = 20;

const accounts = statement(
  "users.serviceAccounts",
  `select u.id, u.name, u.role, a.permissions, u.status, u.created_at as "createdAt",
     -- A change of either row makes a new version.
     u.version + a.version as version, greatest(u.updated_at, a.updated_at) as "updatedAt"
   from service_accounts a join users u on u.id = a.id`,
)
  .present<"role">()
  .narrow<Pick<ServiceAccount, "permissions" | "version" | "updatedAt">>();

const listed = accounts.with("order by lower(u.name), u.id");
const one = accounts.with("where a.id = $1");
const lockedOne = one.with("for update of a, u");

const keysOfSql = statement(
  "users.serviceKeys",
  `select k.account_id as "accountId", k.id, k.name, k.prefix, k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
     k.last_used_at as "lastUsedAt", k.created_at as "createdAt"
   from unnest($1::uuid[]) account (id) cross join lateral (
     select * from service_keys where account_id = account.id
     order by (revoked_at is null and expires_at > $2) desc, id desc limit ${shownKeys}) k
   order by k.account_id, (k.revoked_at is null and k.expires_at > $2) desc, k.id desc`,
);

type Row = RowOf<typeof accounts>;

const withKeys = async (db: Db, rows: readonly Row[], now: Date): Promise<ServiceAccount[]> => {
  const keys = await run(db, keysOfSql, [rows.map(({ id }) => id), now]);
  return rows.map((row) => ({
    ...row,
    status: row.status === "active" ? "active" : "suspended",
    keys: keys.filter(({ accountId }) => accountId === row.id),
  }));
};

export const findServiceAccounts = async (db: Db, now: Date) =>
  withKeys(db, await run(db, listed, []), now);

export const findServiceAccount = async (db: Db, id: string, now: Date) => {
  const row = await first(db, one, [id]);
  return row && (await withKeys(db, [row], now))[0];
};

/** Locks the account, so that its keys and permissions don't change between the decision and the write. */
export const lockServiceAccount = async (db: Db, id: string, now: Date) => {
  const row = await first(db, lockedOne, [id]);
  return row && (await withKeys(db, [row], now))[0];
};

const countSql = statement(
  "users.countServiceAccounts",
  "select count(*)::int as count from service_accounts",
).narrow<{ count: number }>();

/** Locks the table against other new accounts, so that two at once don't exceed the limit. */
export const countServiceAccounts = async (db: Db) => {
  await run(db, "select pg_advisory_xact_lock(hashtext('service accounts'))", []);
  return (await first(db, countSql, []))?.count ?? 0;
};

const insertSql = statement(
  "users.insertServiceAccount",
  `with made as (select uuid_v7() as id)
   insert into users (id, email, name, role, status, is_service)
   select id, 'service:' || id, $1, $2, 'active', true from made returning id`,
);

export const insertServiceAccount = async (
  db: Db,
  { name, role, permissions }: ServiceAccountDetails,
) => {
  const made = await first(db, insertSql, [name, role]);
  if (!made) throw new Error("The service account was not inserted.");
  await db
    .insertInto("serviceAccounts")
    .values({ id: made.id, permissions: permissions && [...permissions] })
    .execute();
  return made.id;
};

export const replaceServiceAccount = async (
  db: Db,
  id: string,
  { name, role, permissions }: ServiceAccountDetails,
) => {
  await db.updateTable("users").set({ name, role }).where("id", "=", id).execute();
  await db
    .updateTable("serviceAccounts")
    .set({ permissions: permissions && [...permissions] })
    .where("id", "=", id)
    .execute();
};

export const setServiceAccountStatus = async (
  db: Db,
  id: string,
  status: ServiceAccount["status"],
) => {
  await db.updateTable("users").set({ status }).where("id", "=", id).execute();
};

const keyColumns = [
  ...(["id", "name", "prefix", "expiresAt", "revokedAt", "lastUsedAt", "createdAt"] as const),
];

export const countValidKeys = async (db: Db, accountId: string, now: Date) => {
  const rows = await db
    .selectFrom("serviceKeys")
    .select("id")
    .where("accountId", "=", accountId)
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", now)
    .execute();
  return rows.length;
};

type NewKey = {
  accountId: string;
  name: string;
  prefix: string;
  secretHash: Buffer;
  expiresAt: Date;
  createdAt: Date;
};

export const insertServiceKey = (db: Db, key: NewKey) =>
  db.insertInto("serviceKeys").values(key).returning(keyColumns).executeTakeFirstOrThrow();

export const lockServiceKey = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom("serviceKeys")
    .select(keyColumns)
    .where("accountId", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();

export const endServiceKey = (db: Db, id: string, end: { revokedAt: Date } | { expiresAt: Date }) =>
  db
    .updateTable("serviceKeys")
    .set(end)
    .where("id", "=", id)
    .returning(keyColumns)
    .executeTakeFirstOrThrow();
