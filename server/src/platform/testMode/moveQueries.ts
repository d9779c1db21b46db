import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";

const startMoveSql = statement(
  "testMode.startMove",
  `update test_clock set target = $1, started_from = $2, moved_by = $3, jobs_run = 0, failure = null
   where target is null returning id`,
);

type Start = { to: Date; now: Date; by: string };

/** False if the clock is being moved already. */
export const startMove = async (db: Db, { to, now, by }: Start) =>
  (await first(db, startMoveSql, [to, now, by])) !== undefined;

const claimMoveSql = statement(
  "testMode.claimMove",
  `update test_clock set claimed_until = pg_catalog.now() + make_interval(secs => $1)
   where target is not null and (claimed_until is null or claimed_until < pg_catalog.now()) returning target`,
).present<"target">();

/** Another worker takes over if this one doesn't store a step for so long. */
const claimSeconds = 30;

/** The time to move the clock to, if no other worker does. */
export const claimMove = async (db: Db) => (await first(db, claimMoveSql, [claimSeconds]))?.target;

const saveStepSql = statement(
  "testMode.saveStep",
  `update test_clock set ahead_ms = greatest(ahead_ms, $1), jobs_run = $2,
     claimed_until = pg_catalog.now() + make_interval(secs => $3)`,
);

export const saveStep = async (
  db: Db,
  { aheadMs, jobsRun }: { aheadMs: number; jobsRun: number },
) => {
  await run(db, saveStepSql, [aheadMs, jobsRun, claimSeconds]);
};

const endMoveSql = statement(
  "testMode.endMove",
  "update test_clock set target = null, started_from = null, claimed_until = null, failure = $1",
);

export const endMove = async (db: Db, failure: string | null) => {
  await run(db, endMoveSql, [failure]);
};

const releaseMoveSql = statement(
  "testMode.releaseMove",
  "update test_clock set claimed_until = null",
);

export const releaseMove = async (db: Db) => {
  await run(db, releaseMoveSql);
};
