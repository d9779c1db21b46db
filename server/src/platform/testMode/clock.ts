import { type Db, first } from "../db/db.ts";
import { statement } from "../db/statement.ts";

const readClockSql = statement(
  "testMode.readClock",
  `select ahead_ms::float8 as "aheadMs", target, started_from as "startedFrom", claimed_until as "claimedUntil",
     jobs_run as "jobsRun", failure from test_clock`,
).narrow<{ aheadMs: number }>();

/** Only a test database has the row. */
export const readClock = (db: Db) => first(db, readClockSql);

const rereadMs = 1000;

/**
 * The clock of test mode: the real time and what it was moved ahead. Requests and jobs call `refresh` first, so that
 * no process works with an earlier time than the database.
 */
export const openTestClock = async (db: Db, base: { now: () => number }) => {
  let aheadMs = 0;
  const refresh = async () => {
    const stored = await readClock(db);
    aheadMs = Math.max(aheadMs, stored?.aheadMs ?? 0);
  };
  await refresh();
  const timer = setInterval(() => void refresh().catch(() => undefined), rereadMs).unref();
  return {
    now: () => base.now() + aheadMs,
    /** A time of the clock as real time, for the queues. */
    toReal: (at: Date) => new Date(at.getTime() - aheadMs),
    aheadMs: () => aheadMs,
    refresh,
    close: () => clearInterval(timer),
  };
};
export type TestClock = Awaited<ReturnType<typeof openTestClock>>;
