import { type Db, run } from "#platform/db/db.ts";

type Exported = {
  id: string;
  requestedBy: { id: string; name: string; email: string };
  requestedAt: Date;
  readyAt: Date | null;
  expiresAt: Date | null;
  bytes: number | null;
};

const shown = `
  e.id, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "requestedBy",
  e.requested_at as "requestedAt", e.ready_at as "readyAt", e.expires_at as "expiresAt",
  octet_length(e.file) as bytes
  from personal_exports e join users u on u.id = e.requested_by`;

export const findExports = (db: Db, userId: string, now: Date) =>
  run<Exported>(
    db,
    `select ${shown} where e.user_id = $1 and (e.expires_at is null or e.expires_at > $2) order by e.id desc`,
    [userId, now],
  );

type Requested = { userId: string; by: string; now: Date };

export const insertExport = async (db: Db, { userId, by, now }: Requested) => {
  const [made] = await run<{ id: string }>(
    db,
    "insert into personal_exports (user_id, requested_by, requested_at) values ($1, $2, $3) returning id",
    [userId, by, now],
  );
  const [row] = await run<Exported>(db, `select ${shown} where e.id = $1`, [made?.id]);
  if (!row) throw new Error("A file that was just asked for is not there.");
  return row;
};

/** Whose data is to be written, unless it was written, or the person is gone. */
export const lockWaiting = async (db: Db, id: string) =>
  (
    await run<{ userId: string }>(
      db,
      `select user_id as "userId" from personal_exports where id = $1 and file is null for update`,
      [id],
    )
  )[0];

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

export const findFile = async (db: Db, { id, userId, now }: Asked) =>
  (
    await run<{ file: Buffer }>(
      db,
      "select file from personal_exports where id = $1 and user_id = $2 and expires_at > $3",
      [id, userId, now],
    )
  )[0];

export const deleteExpired = (db: Db, now: Date) =>
  run(db, "delete from personal_exports where expires_at <= $1", [now]);

type Consequences = {
  subscriptions: number;
  rights: number;
  transactions: number;
  pending: number;
  notes: number;
  entries: number;
  exports: number;
};

/** Somebody's record and all those that were merged into it. */
export const findRecordsOf = async (db: Db, userId: string) => {
  const rows = await run<{ id: string; email: string }>(
    db,
    `with recursive records as (
       select id, email from users where id = $1
       union all select u.id, u.email from records r join users u on u.merged_into = r.id
     ) select id, email from records`,
    [userId],
  );
  return { ids: rows.map(({ id }) => id), emails: rows.map(({ email }) => email) };
};

/** What erasing these records of a person touches, in numbers. */
export const countConsequences = async (db: Db, ids: readonly string[], now: Date) => {
  const [counted] = await run<Consequences>(
    db,
    `select
       (select count(*)::int from subscriptions where user_id = any ($1::uuid[]) and status <> 'ended') as subscriptions,
       (select count(*)::int from grants where user_id = any ($1::uuid[]) and starts_at <= $2 and ends_at > $2) as rights,
       (select count(*)::int from transactions where user_id = any ($1::uuid[])) as transactions,
       (select count(*)::int from transactions where user_id = any ($1::uuid[]) and state in ('draft', 'pending', 'unknown')) as pending,
       (select count(*)::int from user_notes where user_id = any ($1::uuid[])) as notes,
       (select count(*)::int from audit_entries where entity = 'users' and record_id = any ($1::uuid[])) as entries,
       (select count(*)::int from personal_exports where user_id = any ($1::uuid[])) as exports`,
    [ids, now],
  );
  if (!counted) throw new Error("Nothing was counted.");
  return counted;
};

export const findRunning = async (db: Db, ids: readonly string[]) =>
  (
    await run<{ id: string }>(
      db,
      "select id from subscriptions where user_id = any ($1::uuid[]) and status <> 'ended' order by id for update",
      [ids],
    )
  ).map(({ id }) => id);

/** Every row, and every entry of the audit log, as the database's own function knows them; then the queues. */
export const erase = async (db: Db, { ids, emails }: Awaited<ReturnType<typeof findRecordsOf>>) => {
  await run(db, "select erase_person($1)", [ids]);
  await run(db, "delete from pgboss.job where data ->> 'email' = any ($1::text[])", [emails]);
};
