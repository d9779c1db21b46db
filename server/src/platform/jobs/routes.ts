import { listFailedJobs, retryJob } from "@purser/contract/workspace/jobs";
import type { FastifyInstance } from "fastify";
import { fromKysely } from "pg-boss";
import { run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { notFound } from "../http/problem.ts";
import { serve } from "../http/serve.ts";

const failed = statement(
  "jobs.findFailed",
  `
  select id, name, retry_count + 1 as tries, created_on as "createdAt", completed_on as "failedAt",
    coalesce(output ->> 'message', output::text, 'unknown') as error
  from pgboss.job where state = 'failed' order by completed_on desc limit 100`,
)
  .present<"failedAt">()
  .narrow<{ tries: number; error: string }>();

const isFailed = "select 1 from pgboss.job where name = $1 and id = $2 and state = 'failed'";

export const jobRoutes = (app: FastifyInstance) => {
  const { boss } = app.platform.queues;

  serve(app, listFailedJobs, async ({ db }) => ({ items: await run(db, failed) }));

  serve(app, retryJob, async ({ db, params: { name, id } }) => {
    const [found] = await run(db, isFailed, [name, id]);
    if (!found) throw notFound("failed job");
    await boss.retry(name, id, { db: fromKysely(db.withoutPlugins()) });
  });
};
