import { z } from "zod";
import { entityNames } from "../entities.ts";
import { id, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { wholeNumber } from "../http/list.ts";
import { listJob } from "../http/listJobs.ts";
import { message } from "../messages/schema.ts";

export const listJobs = endpoint({
  method: "GET",
  path: "/list-jobs",
  summary: "List your running and unread jobs of a list",
  permission: "signed in",
  query: z.strictObject({ list: z.enum(entityNames) }),
  reply: z.object({ items: z.array(listJob) }),
});

export const getListJob = endpoint({
  method: "GET",
  path: "/list-jobs/:id",
  summary: "Retrieve one of your jobs",
  permission: "signed in",
  params: record,
  reply: listJob,
});

export const rowOutcomes = ["done", "unchanged", "failed"] as const;

export const listJobRows = endpoint({
  method: "GET",
  path: "/list-jobs/:id/rows",
  summary: "List the results of a bulk action",
  permission: "signed in",
  params: record,
  query: z.strictObject({
    outcome: z.enum(rowOutcomes).optional(),
    /** The position of the last row of the page before. */
    after: wholeNumber(0, 999_999_999).optional(),
  }),
  reply: z.object({
    items: z.array(
      z.object({
        position: z.int(),
        recordId: id,
        /** Empty if the record was deleted. */
        name: plain,
        outcome: z.enum(rowOutcomes),
        detail: message.nullable(),
      }),
    ),
    next: z.int().nullable(),
  }),
});

export const exportListJobRows = endpoint({
  method: "GET",
  path: "/list-jobs/:id/rows/export",
  summary: "Export the results of a bulk action as CSV or JSON lines",
  permission: "signed in",
  proof: "recent",
  params: record,
  query: z.strictObject({ format: z.enum(["csv", "jsonl"]) }),
  reply: plain,
  file: true,
});

export const downloadListJob = endpoint({
  method: "GET",
  path: "/list-jobs/:id/file",
  summary: "Download the file of a finished export",
  permission: "signed in",
  proof: "recent",
  params: record,
  reply: plain,
  file: true,
  refusals: ["wrong_state"],
});

export const stopListJob = endpoint({
  method: "POST",
  path: "/list-jobs/:id/stop",
  summary: "Stop a running job",
  permission: "signed in",
  params: record,
  body: z.strictObject({}),
  reply: listJob,
  refusals: ["wrong_state"],
});

export const undoListJob = endpoint({
  method: "POST",
  path: "/list-jobs/:id/undo",
  summary: "Undo a bulk action with another job",
  permission: "signed in",
  params: record,
  body: z.strictObject({}),
  reply: listJob,
  status: 202,
  refusals: ["wrong_state"],
});

export const dismissListJob = endpoint({
  method: "POST",
  path: "/list-jobs/:id/dismiss",
  summary: "Hide a finished job above its list",
  permission: "signed in",
  params: record,
  body: z.strictObject({}),
  refusals: ["wrong_state"],
});
