import { listFailedJobs, retryJob } from "@purser/contract/workspace/jobs";
import type { FastifyInstance } from "fastify";
import { fromKysely } from "pg-boss";
import { notFound } from "../http/problem.ts";
import { serve } from "../http/serve.ts";
import { findFailedJobs, isFailedJob } from "./failedJobs.ts";

export const jobRoutes = (app: FastifyInstance) => {
  const { boss } = app.platform.queues;

  serve(app, listFailedJobs, async ({ db }) => ({ items: await findFailedJobs(db) }));

  serve(app, retryJob, async ({ db, params: { name, id } }) => {
    if (!(await isFailedJob(db, name, id))) throw notFound("failedJob");
    await boss.retry(name, id, { db: fromKysely(db.withoutPlugins()) });
  });
};
