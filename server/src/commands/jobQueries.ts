import { type Db, run } from "../platform/db/db.ts";

type Count = {
  name: string;
  waiting: number;
  running: number;
  failed: number;
  /** Since when the oldest job could have started. */
  oldestAt: Date | null;
};

/** The queues with jobs that wait, run or have failed. */
export const countJobs = async (db: Db) =>
  (await run(
    db,
    `select name,
       (count(*) filter (where state < 'active'))::int as waiting,
       (count(*) filter (where state = 'active'))::int as running,
       (count(*) filter (where state = 'failed'))::int as failed,
       min(start_after) filter (where state < 'active' and start_after <= pg_catalog.now()) as "oldestAt"
     from pgboss.job where state in ('created', 'retry', 'active', 'failed') group by 1 order by 1`,
  )) as Count[];

/** The queue of a job, or null. */
export const findQueueOf = async (db: Db, id: string) => {
  const [row] = (await run(db, "select name from pgboss.job where id = $1", [id])) as {
    name: string;
  }[];
  return row?.name ?? null;
};
