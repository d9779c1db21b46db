import { z } from "zod";
import { id, instant, nothing } from "../fields/primitives.ts";
import { plain, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";

const failedJob = z
  .object({
    id,
    name: plain,
    attempts: z.int(),
    createdAt: instant,
    failedAt: instant,
    error: plain,
    /** Null if all attempts failed. */
    nextTryAt: instant.nullable(),
    /** Whether the job sends an email. */
    isEmail: z.boolean(),
    /** The address, if the job names one. */
    recipient: plain.nullable(),
  })
  .meta({ id: "FailedJob" });

export const listFailedJobs = endpoint({
  method: "GET",
  path: "/jobs/failed",
  summary: "List the latest 100 jobs whose last attempt failed",
  permission: "jobs:read",
  query: nothing,
  reply: z.object({ items: z.array(failedJob), total: z.int() }),
});

export const retryJob = endpoint({
  method: "POST",
  path: "/jobs/:name/:id/retry",
  summary: "Run a failed job now",
  permission: "jobs:write",
  params: z.strictObject({
    name: token(/^[a-z][a-z-]{0,60}$/, rule("job_name_invalid", "Enter the name of a job.")),
    id,
  }),
  body: nothing,
  status: 202,
});

export const retryJobs = endpoint({
  method: "POST",
  path: "/jobs/retry",
  summary: "Run all failed jobs now, or those that send emails",
  permission: "jobs:write",
  body: z.strictObject({ only: z.enum(["emails", "others"]).optional() }),
  reply: z.object({ jobs: z.int() }),
});
