import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";

const waitingSql = statement(
  "backfills.findWaiting",
  `select name, migration, rows_done::float8 as "rowsDone" from backfills where finished_at is null
   order by migration, name`,
).narrow<{ rowsDone: number }>();

export const findWaitingBackfills = (db: Db) => run(db, waitingSql);

// Locked for the batch, so that only one worker at a time converts rows after this key.
const lockSql = statement(
  "backfills.lock",
  `select last_key as "lastKey" from backfills where name = $1 and finished_at is null
   for update skip locked`,
);

/** The place of a backfill, or nothing if it is finished or another worker is converting its next batch. */
export const lockBackfill = (db: Db, name: string) => first(db, lockSql, [name]);

type Progress = { last: string | null; rows: number; done: boolean };

export const saveProgress = async (db: Db, name: string, { last, rows, done }: Progress) => {
  await run(
    db,
    `update backfills set last_key = coalesce($2, last_key), rows_done = rows_done + $3,
       started_at = coalesce(started_at, now()), updated_at = now(), finished_at = case when $4 then now() end
     where name = $1`,
    [name, last, rows, done],
  );
};
