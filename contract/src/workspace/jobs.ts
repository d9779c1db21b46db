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
  })
  .meta({ id: "FailedJob" });

export const listFailedJobs = endpoint({
  method: "GET",
  path: "/jobs/failed",
  summary: "List the latest 100 failed jobs",
  permission: "jobs:read",
  query: nothing,
  reply: z.object({ items: z.array(failedJob) }),
});

export const retryJob = endpoint({
  method: "POST",
  path: "/jobs/:name/:id/retry",
  summary: "Retry a failed job",
  permission: "jobs:write",
  params: z.strictObject({
    name: token(/^[a-z][a-z-]{0,60}$/, rule("job_name_invalid", "Enter the name of a job.")),
    id,
  }),
  body: nothing,
  status: 202,
});
