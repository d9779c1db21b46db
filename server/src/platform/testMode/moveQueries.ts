import { randomUUID } from "node:crypto";
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
  `update test_clock set claimed_until = pg_catalog.now() + make_interval(secs => $1), claimed_by = $2
   where target is not null and (claimed_until is null or claimed_until < pg_catalog.now()) returning target`,
).present<"target">();

/** Another worker takes over if this one doesn't extend its claim for so long. */
const claimSeconds = 30;

/** The time to move the clock to, and the claim with which a worker does it, if no other one does. */
export const claimMove = async (db: Db) => {
  const claim = randomUUID();
  const claimed = await first(db, claimMoveSql, [claimSeconds, claim]);
  return claimed && { claim, target: claimed.target };
};

const extendClaimSql = statement(
  "testMode.extendClaim",
  `update test_clock set claimed_until = pg_catalog.now() + make_interval(secs => $2) where claimed_by = $1
   returning id`,
);

export const extendClaim = async (db: Db, claim: string) => {
  await run(db, extendClaimSql, [claim, claimSeconds]);
};

const saveStepSql = statement(
  "testMode.saveStep",
  `update test_clock set ahead_ms = greatest(ahead_ms, $2), jobs_run = $3,
     claimed_until = pg_catalog.now() + make_interval(secs => $4)
   where claimed_by = $1 returning id`,
);

/** False if another worker has taken over. */
export const saveStep = async (
  db: Db,
  claim: string,
  { aheadMs, jobsRun }: { aheadMs: number; jobsRun: number },
) => (await first(db, saveStepSql, [claim, aheadMs, jobsRun, claimSeconds])) !== undefined;

const endMoveSql = statement(
  "testMode.endMove",
  `update test_clock set target = null, started_from = null, claimed_until = null, claimed_by = null, failure = $2
   where claimed_by = $1 returning id`,
);

export const endMove = async (db: Db, claim: string, failure: string | null) => {
  await run(db, endMoveSql, [claim, failure]);
};

const releaseMoveSql = statement(
  "testMode.releaseMove",
  "update test_clock set claimed_until = null, claimed_by = null where claimed_by = $1 returning id",
);

export const releaseMove = async (db: Db, claim: string) => {
  await run(db, releaseMoveSql, [claim]);
};
