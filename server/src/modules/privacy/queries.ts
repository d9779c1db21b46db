import { eraseImportedRows } from "#modules/imports/queries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const exported = statement(
  "privacy.exports",
  `select e.id, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "requestedBy",
  e.requested_at as "requestedAt", e.ready_at as "readyAt", e.expires_at as "expiresAt",
  octet_length(e.file) as bytes
  from personal_exports e join users u on u.id = e.requested_by`,
).narrow<{ requestedBy: { id: string; name: string; email: string } }>();
const ofUser = exported.with(
  "where e.user_id = $1 and (e.expires_at is null or e.expires_at > $2) order by e.id desc",
);
const oneExport = exported.with("where e.id = $1");

export const findExports = (db: Db, userId: string, now: Date) => run(db, ofUser, [userId, now]);

type Requested = { userId: string; by: string; now: Date };

const insertExportSql = statement(
  "privacy.insertExport",
  "insert into personal_exports (user_id, requested_by, requested_at) values ($1, $2, $3) returning id",
);

export const insertExport = async (db: Db, { userId, by, now }: Requested) => {
  const made = await first(db, insertExportSql, [userId, by, now]);
  const row = await first(db, oneExport, [made?.id]);
  if (!row) throw new Error("A file that was just asked for is not there.");
  return row;
};

const lockWaitingSql = statement(
  "privacy.lockWaiting",
  `select user_id as "userId" from personal_exports where id = $1 and file is null for update`,
);

/** Finds no row if the export was already written or the customer was erased. */
export const lockWaiting = (db: Db, id: string) => first(db, lockWaitingSql, [id]);

const keptDays = 7;

export const storeFile = async (db: Db, id: string, file: Buffer, now: Date) => {
  await run(
    db,
    `update personal_exports set file = $2, ready_at = $3::timestamptz,
       expires_at = $3::timestamptz + make_interval(days => ${keptDays}) where id = $1`,
    [id, file, now],
  );
};

type Asked = { id: string; userId: string; now: Date };

const findFileSql = statement(
  "privacy.findFile",
  "select file from personal_exports where id = $1 and user_id = $2 and expires_at > $3",
).present<"file">();

export const findFile = (db: Db, { id, userId, now }: Asked) =>
  first(db, findFileSql, [id, userId, now]);

export const deleteExpired = (db: Db, now: Date) =>
  run(db, "delete from personal_exports where expires_at <= $1", [now]);

const findRecordsOfSql = statement(
  "privacy.findRecordsOf",
  `with recursive records as (
     select id, email from users where id = $1
     union all select u.id, u.email from records r join users u on u.merged_into = r.id
   ) select id, email from records`,
).narrow<{ id: string; email: string }>();

/** A customer's record and all records that were merged into it. */
export const findRecordsOf = async (db: Db, userId: string) => {
  const rows = await run(db, findRecordsOfSql, [userId]);
  return { ids: rows.map(({ id }) => id), emails: rows.map(({ email }) => email) };
};

const countConsequencesSql = statement(
  "privacy.countConsequences",
  `select
   (select count(*)::int from subscriptions where user_id = any ($1::uuid[]) and status <> 'ended') as subscriptions,
   (select count(*)::int from grants where user_id = any ($1::uuid[]) and starts_at <= $2 and ends_at > $2) as grants,
   (select count(*)::int from transactions where user_id = any ($1::uuid[])) as transactions,
   (select count(*)::int from transactions where user_id = any ($1::uuid[]) and state in ('draft', 'pending', 'unknown')) as pending,
   (select count(*)::int from user_notes where user_id = any ($1::uuid[])) as notes,
   (select count(*)::int from audit_entries where entity = 'users' and record_id = any ($1::uuid[])) as entries,
   (select count(*)::int from personal_exports where user_id = any ($1::uuid[])) as exports,
   d.documents, d.documents_until as "documentsUntil"
   from (select count(*)::int as documents,
       max(issued_at) + make_interval(years => (select document_retention_years from settings)) as documents_until
     from documents where user_id = any ($1::uuid[]) and buyer_removed_at is null) d`,
)
  // Reads all transactions of the customer.
  .bounded(10_000)
  .narrow<{
    subscriptions: number;
    grants: number;
    transactions: number;
    pending: number;
    notes: number;
    entries: number;
    exports: number;
    documents: number;
    documentsUntil: Date | null;
  }>();

/** Counts what erasing these records of a customer affects. */
export const countConsequences = async (db: Db, ids: readonly string[], now: Date) => {
  const counted = await first(db, countConsequencesSql, [ids, now]);
  if (!counted) throw new Error("Nothing was counted.");
  return counted;
};

const findRunningSql = statement(
  "privacy.findRunning",
  "select id from subscriptions where user_id = any ($1::uuid[]) and status <> 'ended' order by id for update",
);

export const findRunning = async (db: Db, ids: readonly string[]) =>
  (await run(db, findRunningSql, [ids])).map(({ id }) => id);

/** The database function erases rows and audit entries. Queued jobs with the addresses are deleted too. */
export const erase = async (db: Db, { ids, emails }: Awaited<ReturnType<typeof findRecordsOf>>) => {
  await run(db, "select erase_person($1)", [ids]);
  await eraseImportedRows(db, ids, emails);
  await run(db, "delete from pgboss.job where data ->> 'email' = any ($1::text[])", [emails]);
};
