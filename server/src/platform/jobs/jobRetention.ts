import { type Db, run } from "../db/db.ts";

/** How long jobs are kept after their end. The queues delete them, each as long as was set when it was added. */
export const keepJobsFor = async (db: Db, days: number) => {
  await run(
    db,
    "update pgboss.queue set deletion_seconds = $1::int where deletion_seconds <> $1::int",
    [days * 86_400],
  );
};
