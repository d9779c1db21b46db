import { z } from "zod";
import { type EntityName, entityNames } from "../entities.ts";
import { id, instant } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { message } from "../messages/schema.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { type Fields, selection } from "./list.ts";

/** Larger selections must be narrowed. */
export const bulkRowsMax = 500_000;
/** Exports with more rows are written by a job. */
export const downloadRowsMax = 100_000;

const listJobActions = [
  "activate",
  "archive",
  "export",
  "extend",
  "pause",
  "restore",
  "resume",
  "shorten",
  "suspend",
  "tag",
  "untag",
] as const;
export const listJobStatuses = ["running", "finished", "stopped", "failed"] as const;

/** A bulk action on all matching rows, or a large export. */
export const listJob = z
  .object({
    id,
    list: z.enum(entityNames),
    action: z.enum(listJobActions),
    status: z.enum(listJobStatuses),
    /** The moment of the selection. */
    startedAt: instant,
    finishedAt: instant.nullable(),
    /** The number of rows. Null for an export, which doesn't count them first. */
    total: z.int().nullable(),
    done: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    /** The size of the exported file. */
    bytes: z.int(),
    /** Why it failed. */
    error: message.nullable(),
    /** The job that this one undoes. */
    undoes: id.nullable(),
    /** Whether its changes can be undone. */
    canUndo: z.boolean(),
  })
  .meta({ id: "ListJob" });
export type ListJob = z.output<typeof listJob>;

/** What an action is given besides the rows. */
type Given = Record<string, z.ZodType>;

const chosenBy = <
  F extends Fields,
  const A extends readonly [string, ...string[]],
  G extends Given,
>(
  fields: F,
  actions: A,
  given: G,
) => {
  const { q, f } = selection(fields);
  return { ...given, action: z.enum(actions), q, f };
};

/** What a bulk action would do, for the confirmation. */
export const previewBulk = <
  const L extends EntityName,
  F extends Fields,
  const A extends readonly [string, ...string[]],
  G extends Given = Record<never, never>,
>(
  list: L,
  fields: F,
  actions: A,
  given: G = {} as G,
) =>
  endpoint({
    method: "GET",
    path: `/${list}/bulk-jobs/preview`,
    summary: `Preview a bulk action on all matching ${list}`,
    permission: `${list}:write`,
    query: z.strictObject(chosenBy(fields, actions, given)),
    reply: z.object({
      total: z.int(),
      changed: z.int(),
      /** The others, by the reason why they can't be changed, with the result that the job will have. */
      refused: z.array(
        z.object({ detail: message, rows: z.int(), outcome: z.enum(["unchanged", "failed"]) }),
      ),
      consequences: z.array(z.object({ what: plain, amount: z.int() })),
    }),
  });

/** Starts a bulk action on all matching rows. Refused if their number differs from the expected one. */
export const startBulk = <
  const L extends EntityName,
  F extends Fields,
  const A extends readonly [string, ...string[]],
  G extends Given = Record<never, never>,
>(
  list: L,
  fields: F,
  actions: A,
  given: G = {} as G,
) =>
  endpoint({
    method: "POST",
    path: `/${list}/bulk-jobs`,
    summary: `Start a bulk action on all matching ${list}`,
    permission: `${list}:write`,
    // It runs later, and is followed and undone in the dashboard.
    serviceAccounts: false,
    body: z.strictObject({
      ...chosenBy(fields, actions, given),
      expected: z.int().min(1).max(bulkRowsMax),
      reason: reason.optional(),
    }),
    reply: listJob,
    status: 202,
    refusals: ["impact_changed", "wrong_state"],
  });

type ExportEndpoint = Pick<Endpoint, "permission"> & { query: z.ZodObject };

/** Starts an export as a job if it is too large for a download. */
export const startExport = <const L extends EntityName, const E extends ExportEndpoint>(
  list: L,
  { query, permission }: E,
) =>
  endpoint({
    method: "POST",
    path: `/${list}/exports`,
    summary: `Export ${list} as a job if there are many`,
    permission: permission as E["permission"],
    proof: "recent",
    body: query as E["query"],
    /** No job if the file is small enough for a download. */
    reply: z.object({ job: listJob.nullable() }),
    refusals: ["wrong_state"],
  });
