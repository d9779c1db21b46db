import { listFailedJobs, retryJob, retryJobs } from "@purser/contract/workspace/jobs";
import type { FastifyInstance } from "fastify";
import { notFound } from "../http/problem.ts";
import { serve } from "../http/serve.ts";
import { countFailedJobs, findFailedJobs, retryJobNow, retryJobsNow } from "./failedJobs.ts";

export const jobRoutes = (app: FastifyInstance) => {
  const { patientQueues: emailQueues } = app.platform.queues;

  serve(app, listFailedJobs, async ({ db }) => ({
    items: await findFailedJobs(db, emailQueues),
    total: await countFailedJobs(db),
  }));

  serve(app, retryJob, async ({ db, params: { name, id } }) => {
    if (!(await retryJobNow(db, name, id))) throw notFound("failedJob");
  });

  serve(app, retryJobs, async ({ db, body: { only = null } }) => ({
    jobs: await retryJobsNow(db, { emailQueues, only }),
  }));
};
