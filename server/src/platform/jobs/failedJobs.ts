import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";

/** Jobs that throw have a message, and those that end too late have it one level below. */
const errorOf = (job: "f" | "r") =>
  `coalesce(${job}.output ->> 'message', ${job}.output -> 'value' ->> 'message', ${job}.output::text, 'unknown')`;

// Two parts, because each has an index.
const findFailedSql = statement(
  "jobs.findFailed",
  `
  select f.id, f.name, f.retry_count + 1 as attempts, f.created_on as "createdAt", f.completed_on as "failedAt",
    null::timestamptz as "nextTryAt", ${errorOf("f")} as error,
    f.name = any ($1::text[]) as "isEmail", f.data ->> 'email' as recipient
  from (select * from pgboss.job where state = 'failed' order by completed_on desc limit 100) f
  union all
  select r.id, r.name, r.retry_count + 1, r.created_on, r.started_on, r.start_after,
    ${errorOf("r")}, r.name = any ($1::text[]), r.data ->> 'email'
  from (select * from pgboss.job where state = 'retry' and started_on is not null and start_after > pg_catalog.now() order by start_after limit 100) r
  order by "failedAt" desc limit 100`,
).narrow<{
  id: string;
  name: string;
  attempts: number;
  createdAt: Date;
  failedAt: Date;
  error: string;
  isEmail: boolean;
}>();

export const findFailedJobs = (db: Db, emailQueues: string[]) =>
  run(db, findFailedSql, [emailQueues]);

const countFailedSql = statement(
  "jobs.countFailed",
  `select ((select count(*) from pgboss.job where state = 'failed')
    + (select count(*) from pgboss.job where state = 'retry' and started_on is not null and start_after > pg_catalog.now()))::int as total`,
).narrow<{ total: number }>();

export const countFailedJobs = async (db: Db) => (await first(db, countFailedSql))?.total ?? 0;

/** Which queues: those of emails, all others, or all. */
const chosen = `case $2::text when 'emails' then name = any ($1::text[]) when 'others' then name <> all ($1::text[]) else true end`;

// A job without attempts left gets one more.
const retryFailedSql = statement(
  "jobs.retryFailed",
  `update pgboss.job set state = 'retry', retry_limit = retry_limit + 1, start_after = pg_catalog.now(), completed_on = null
   where state = 'failed' and ${chosen} returning name`,
);
const hurryRetriedSql = statement(
  "jobs.hurryRetried",
  `update pgboss.job set start_after = pg_catalog.now()
   where state = 'retry' and start_after > pg_catalog.now() and ${chosen} returning name`,
);

type Choice = { emailQueues: string[]; only: "emails" | "others" | null };

/** Runs failed jobs at once, and returns how many. */
export const retryJobsNow = async (db: Db, { emailQueues, only }: Choice) => {
  const values = [emailQueues, only];
  const failed = await run(db, retryFailedSql, values);
  const retried = await run(db, hurryRetriedSql, values);
  return failed.length + retried.length;
};

const retryOneSql = statement(
  "jobs.retryOne",
  `update pgboss.job set
     state = 'retry', start_after = pg_catalog.now(), completed_on = null,
     retry_limit = case when state = 'failed' then retry_limit + 1 else retry_limit end
   where name = $1 and id = $2 and (state = 'failed' or (state = 'retry' and started_on is not null)) returning name`,
);

/** Whether there was such a job. A second call finds it waiting and changes nothing. */
export const retryJobNow = async (db: Db, name: string, id: string) =>
  (await run(db, retryOneSql, [name, id])).length > 0;
