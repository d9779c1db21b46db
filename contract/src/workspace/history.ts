import { z } from "zod";
import { instant } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { cursor, rowCount, selection, wholeNumber } from "../http/list.ts";
import { auditEntry, auditFields, oneEntry } from "./audit.ts";

/** An entry with what identifies its record, also if that didn't change. */
const actionEntry = auditEntry.extend({ facts: z.record(plain, z.unknown()) });
export type ActionEntry = z.output<typeof actionEntry>;

/** Everything that one request or one run of a job changed. */
const action = z
  .object({
    /** The number of its newest matching entry. */
    id: plain,
    at: instant,
    requestId: plain.nullable(),
    actor: auditEntry.shape.actor,
    reason: plain.nullable(),
    /** The entries that say most about it, and how many it has. */
    entries: z.array(actionEntry),
    total: rowCount,
    /** What a published version changed compared with the version that it replaced. */
    published: z.array(
      z.object({
        entity: plain,
        versionId: plain,
        field: plain,
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
  })
  .meta({ id: "Action" });
export type Action = z.output<typeof action>;

/** The names of the records that entries refer to, by id. */
const recordNames = z.record(
  plain,
  z.object({
    entity: plain,
    name: plain,
    /** The package of a version. */
    parentId: plain.nullable(),
  }),
);
export type RecordNames = z.output<typeof recordNames>;

const actionPage = z.object({
  items: z.array(action),
  next: plain.nullable(),
  names: recordNames,
  /** How many entries were searched, if the page isn't full. The cursor continues the search. */
  searched: z.int().nullable(),
});

const list = (max: number) =>
  text({ max: 4000 })
    .transform((given) => given.split(",").filter(Boolean))
    .pipe(z.array(plain).max(max));

/** Always newest first. */
const { sort: _, ...search } = selection(auditFields);

export const listActions = endpoint({
  method: "GET",
  path: "/audit/actions",
  summary: "List the audit log by action",
  permission: "audit:read",
  query: z.strictObject({
    ...search,
    size: wholeNumber(1, 100).optional(),
    after: cursor.optional(),
    /** Fields and record types whose names match the search in the user's language. */
    fields: list(100).optional(),
    types: list(40).optional(),
  }),
  reply: actionPage,
});

export const getAction = endpoint({
  method: "GET",
  path: "/audit/:id/action",
  summary: "Retrieve the action of an audit log entry",
  permission: "audit:read",
  params: oneEntry,
  reply: z.object({ action, names: recordNames }),
});

export const listRecentActions = endpoint({
  method: "GET",
  path: "/activity/actions",
  summary: "List recent activity by action",
  permission: "signed in",
  reply: actionPage.pick({ items: true, names: true }),
});
