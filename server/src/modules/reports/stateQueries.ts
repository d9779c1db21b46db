import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const lockSql = statement(
  "reports.lock",
  "select pg_try_advisory_xact_lock(hashtext('update-reports')) as free",
).narrow<{ free: boolean }>();

/** Whether this transaction may change the figures. Two at the same time would add the same changes twice. */
export const lockFigures = async (db: Db) => (await first(db, lockSql))?.free ?? false;

const stateSql = statement(
  "reports.state",
  `select zone, next_day::text as "nextDay", next_customer as "nextCustomer",
     next_package_customer as "nextPackageCustomer" from report_state`,
).narrow<{ nextDay: string | null }>();

/** The time zone of the figures, and what is rebuilt next, or null if nothing has to be. */
export const findState = async (db: Db) =>
  (await first(db, stateSql)) ?? {
    zone: null,
    nextDay: null,
    nextCustomer: null,
    nextPackageCustomer: null,
  };

export const saveState = async (
  db: Db,
  {
    zone,
    nextDay,
    nextCustomer,
    nextPackageCustomer,
  }: Record<"zone" | "nextDay" | "nextCustomer" | "nextPackageCustomer", string | null>,
) => {
  await run(
    db,
    `update report_state set zone = $1, next_day = $2, next_customer = $3, next_package_customer = $4`,
    [zone, nextDay, nextCustomer, nextPackageCustomer],
  );
};

const ageSql = statement(
  "reports.age",
  `select least((select min(queued_at) from revenue_queue), (select min(queued_at) from mrr_queue)) as since,
     s.next_day is not null or s.next_customer is not null
       or s.zone is not null and s.next_package_customer is not null
       or s.zone is null and exists (select from journal_entries) as "isRebuilding"
   from report_state s`,
).narrow<{ since: Date | null; isRebuilding: boolean }>();

/** Up to when the figures are complete, and whether they are being rebuilt. */
export const findAge = async (db: Db, now: Date) => {
  const age = await first(db, ageSql);
  return { asOf: age?.since ?? now, isRebuilding: age?.isRebuilding ?? true };
};

/** For a command: memory for large sorts, and no compilation, which takes longer than it saves. */
export const setUpForMany = async (db: Db) => {
  await run(db, "set local work_mem = '256MB'");
  await run(db, "set local jit = off");
};
