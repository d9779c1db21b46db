import { type Db, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";

const findFailedSql = statement(
  "jobs.findFailed",
  `
  select id, name, retry_count + 1 as attempts, created_on as "createdAt", completed_on as "failedAt",
    coalesce(output ->> 'message', output::text, 'unknown') as error
  from pgboss.job where state = 'failed' order by completed_on desc limit 100`,
)
  .present<"failedAt">()
  .narrow<{ attempts: number; error: string }>();

export const findFailedJobs = (db: Db) => run(db, findFailedSql);

export const isFailedJob = async (db: Db, name: string, id: string) => {
  const text = "select 1 from pgboss.job where name = $1 and id = $2 and state = 'failed'";
  return (await run(db, text, [name, id])).length > 0;
};
