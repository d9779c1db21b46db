import type { EntityName } from "@purser/contract/entities";
import type { ListJob } from "@purser/contract/http/listJobs";
import type { Message } from "@purser/contract/messages/message";
import { type Db, first, run } from "../../db/db.ts";
import { statement, template } from "../../db/statement.ts";
import type { StoredExport } from "./sources.ts";

const jobs = statement(
  "listJobs.jobs",
  `select j.id, j.list, j.action, j.status, j.started_at as "startedAt", j.finished_at as "finishedAt", j.total, j.done,
     j.unchanged, j.failed, j.bytes::float8 as bytes, j.error, j.undoes,
     exists (select from list_jobs u where u.undoes = j.id and u.status in ('running', 'finished')) as "isUndone"
   from list_jobs j`,
).narrow<Pick<ListJob, "list" | "action" | "status" | "error" | "bytes"> & { isUndone: boolean }>();
const ownJob = jobs.with("where j.id = $1 and j.user_id = $2");
const shownJobs = jobs.with(
  `where j.user_id = $1 and j.list = $2 and j.dismissed_at is null order by j.id desc limit 10`,
);

export const findJob = (db: Db, id: string, userId: string) => first(db, ownJob, [id, userId]);

/** Running jobs and those whose result wasn't dismissed. */
export const findShown = (db: Db, userId: string, list: string) =>
  run(db, shownJobs, [userId, list]);

type NewJob = {
  userId: string;
  list: EntityName;
  action: ListJob["action"];
  query: object;
  reason: string | null;
  address: string;
  now: Date;
  undoes?: string;
  exportId?: string;
};

const insertJobSql = statement(
  "listJobs.insert",
  `insert into list_jobs (user_id, list, action, query, reason, address, started_at, undoes, export_id)
   values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9) returning id`,
);

export const insertJob = async (db: Db, job: NewJob) => {
  const { userId, list, action, query, reason, address, now, undoes, exportId } = job;
  const row = await first(db, insertJobSql, [
    ...[userId, list, action, JSON.stringify(query), reason, address, now],
    ...[undoes ?? null, exportId ?? null],
  ]);
  if (!row) throw new Error("The job was not stored.");
  return row.id;
};

const insertRows = template(
  "listJobs.insertRows",
  (table: string, where: string, job: string, limit: number) => `
    with added as (
      insert into list_job_rows (job_id, position, record_id, record_version)
      select ${job}::uuid, row_number() over (order by r.id), r.id, r.version
      from (select r.id, r.version from ${table} r ${where} limit ${limit}) r
      returning 1)
    select count(*)::int as rows from added`,
  ["users", "", "$1", 1],
).narrow<{ rows: number }>();

type Chosen = { table: string; where: string; values: readonly unknown[]; limit: number };

/** Stores the rows of a job as they are now, and returns their number. `values` begin with the id of the job. */
export const storeRows = async (db: Db, { table, where, values, limit }: Chosen) => {
  await run(db, "set local statement_timeout = 20000");
  return (await first(db, insertRows.for(table, where, "$1", limit), values))?.rows ?? 0;
};

const copyDoneRowsSql = statement(
  "listJobs.copyDoneRows",
  `with added as (
     insert into list_job_rows (job_id, position, record_id, record_version, before)
     select $2, row_number() over (order by r.position), r.record_id, r.version_after, r.before from list_job_rows r
     where r.job_id = $1 and r.outcome = 'done' and r.record_id not in (
       select d.record_id from list_jobs u join list_job_rows d on d.job_id = u.id
       where u.undoes = $1 and d.outcome = 'done')
     returning 1)
   select count(*)::int as rows from added`,
).narrow<{ rows: number }>();

/**
 * The rows that a job changed, with their version after it, and without those that a stopped undo has restored. Returns
 * their number.
 */
export const copyDoneRows = async (db: Db, from: string, to: string) => {
  await run(db, "set local statement_timeout = 20000");
  return (await first(db, copyDoneRowsSql, [from, to]))?.rows ?? 0;
};

export const setTotal = async (db: Db, id: string, total: number) => {
  await run(db, "update list_jobs set total = $2 where id = $1", [id, total]);
};

const findRunningSql = statement(
  "listJobs.findRunning",
  "select id from list_jobs where status = 'running' order by id limit 100",
);

export const findRunning = async (db: Db) => (await run(db, findRunningSql)).map(({ id }) => id);

const countRunningSql = statement(
  "listJobs.countRunning",
  "select count(*)::int as jobs from list_jobs where user_id = $1 and status = 'running'",
).narrow<{ jobs: number }>();

export const countRunning = async (db: Db, userId: string) =>
  (await first(db, countRunningSql, [userId]))?.jobs ?? 0;

// Locked for the batch, so that only one worker at a time continues a job.
const lockRunningSql = statement(
  "listJobs.lockRunning",
  `select j.id, j.list, j.action, j.query, j.reason, j.address, j.started_at as "startedAt", j.undoes, j.total,
     j.position, j.last_id as "lastId", j.export_id as "exportId", j.done,
     u.id as "userId", u.name, u.email, u.role, u.status as "userStatus"
   from list_jobs j join users u on u.id = j.user_id
   where j.id = $1 and j.status = 'running' for update of j skip locked`,
).narrow<{ list: EntityName; action: ListJob["action"]; query: StoredExport }>();

/** A running job with its starter, or nothing if it ended or another worker has it. */
export const lockRunning = (db: Db, id: string) => first(db, lockRunningSql, [id]);
export type RunningJob = NonNullable<Awaited<ReturnType<typeof lockRunning>>>;

const findStarterSql = statement(
  "listJobs.findStarter",
  `select j.user_id as "userId", u.name, j.address, j.reason from list_jobs j join users u on u.id = j.user_id
   where j.id = $1`,
);

export const findStarter = (db: Db, id: string) => first(db, findStarterSql, [id]);
export type Starter = NonNullable<Awaited<ReturnType<typeof findStarter>>>;

const findTargetsSql = statement(
  "listJobs.findTargets",
  `select position, record_id as id, record_version as version, before from list_job_rows
   where job_id = $1 and position >= $2 order by position limit $3`,
).narrow<{ before: object | null }>();

export const findTargets = (db: Db, { id, position }: RunningJob, limit: number) =>
  run(db, findTargetsSql, [id, position, limit]);
export type Target = Awaited<ReturnType<typeof findTargets>>[number];

export type Outcome = {
  outcome: "done" | "unchanged" | "failed";
  detail: Message | null;
  version: number | null;
  /** What was replaced, for the undo. */
  before?: object | null;
};

const rememberSql = template(
  "listJobs.rememberRows",
  (table: string, fields: Readonly<Record<string, string>>) => {
    const named = Object.entries(fields).map(([name, sql]) => `'${name}', ${sql}`);
    return `select r.id, jsonb_build_object(${named.join(", ")}) as before from ${table} r where r.id = any ($1::uuid[])`;
  },
  ["users", { status: "r.status" }],
).narrow<{ before: object }>();

/** What rows have before an action replaces it. */
export const rememberRows = async (
  db: Db,
  table: string,
  fields: Readonly<Record<string, string>>,
  ids: readonly string[],
) =>
  new Map(
    (await run(db, rememberSql.for(table, fields), [ids])).map((row) => [row.id, row.before]),
  );

/** Stores the results of a batch and the position of the next one. */
export const saveOutcomes = async (
  db: Db,
  { id, position }: RunningJob,
  outcomes: readonly Outcome[],
) => {
  const countOf = (wanted: Outcome["outcome"]) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  await run(
    db,
    `update list_job_rows r set outcome = o.outcome, detail = o.detail, version_after = o.version,
       before = coalesce(o.before, r.before)
     from unnest($3::text[], $4::jsonb[], $5::int[], $6::jsonb[]) with ordinality
       o (outcome, detail, version, before, place)
     where r.job_id = $1 and r.position = $2 + o.place - 1`,
    [
      id,
      position,
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ detail }) => detail && JSON.stringify(detail)),
      outcomes.map(({ version }) => version),
      outcomes.map(({ before }) => before && JSON.stringify(before)),
    ],
  );
  await run(
    db,
    `update list_jobs set position = position + $2, done = done + $3, unchanged = unchanged + $4,
       failed = failed + $5 where id = $1`,
    [id, outcomes.length, ...(["done", "unchanged", "failed"] as const).map(countOf)],
  );
};

type Chunk = { content: Buffer; rows: number; bytes: number; lastId: string | null };

/** Stores a part of a file and the id of its last row. */
export const saveChunk = async (
  db: Db,
  { id, position }: RunningJob,
  { content, rows, bytes, lastId }: Chunk,
) => {
  await run(db, "insert into list_job_chunks (job_id, position, content) values ($1, $2, $3)", [
    id,
    position,
    content,
  ]);
  await run(
    db,
    `update list_jobs set position = position + 1, done = done + $2, bytes = bytes + $3, last_id = $4
     where id = $1`,
    [id, rows, bytes, lastId],
  );
};

type End = { status: "finished" | "stopped" | "failed"; error?: Message; now: Date };

export const endJob = async (db: Db, id: string, { status, error, now }: End) => {
  await run(
    db,
    `update list_jobs set status = $2, error = $3::jsonb, finished_at = $4
     where id = $1 and status = 'running'`,
    [id, status, error ? JSON.stringify(error) : null, now],
  );
};

const lockOwnSql = statement(
  "listJobs.lockOwn",
  `select id, list, action, status, done, query, undoes from list_jobs where id = $1 and user_id = $2 for update`,
).narrow<Pick<ListJob, "list" | "action" | "status"> & { query: object }>();

/** Waits for the end of a batch. */
export const lockOwn = (db: Db, id: string, userId: string) => first(db, lockOwnSql, [id, userId]);

const findQuerySql = statement("listJobs.findQuery", "select query from list_jobs where id = $1");

export const findQuery = async (db: Db, id: string) => (await first(db, findQuerySql, [id]))?.query;

/** Hides a job above its list, or shows it again. */
export const setDismissed = async (db: Db, id: string, at: Date | null) => {
  await run(db, "update list_jobs set dismissed_at = $2 where id = $1", [id, at]);
};

const deletedAtOnce = 5000;

const findOldSql = statement(
  "listJobs.findOld",
  `select id from list_jobs where finished_at < $1::timestamptz
   order by finished_at limit 1`,
);

const deletePart = (table: "list_job_rows" | "list_job_chunks") =>
  `delete from ${table} where job_id = $1 and position in (
     select position from ${table} where job_id = $1 order by position limit ${deletedAtOnce})`;

/** Deletes a part of one job that ended before this moment. Returns whether there may be more. */
export const deleteOldPart = async (db: Db, before: Date) => {
  const old = await first(db, findOldSql, [before]);
  if (!old) return false;
  for (const table of ["list_job_rows", "list_job_chunks"] as const) {
    const deleted = await run(db, `${deletePart(table)} returning position`, [old.id]);
    if (deleted.length === deletedAtOnce) return true;
  }
  await run(db, "delete from list_jobs where id = $1", [old.id]);
  return true;
};
