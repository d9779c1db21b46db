import { z } from "zod";
import { id, instant, record } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { plain, token } from "./text.ts";

const entry = z
  .object({
    id: plain,
    at: instant,
    /** What kind of record it happened to, by the name of its table. */
    entity: plain,
    recordId: id,
    /** What people call the record: its name, or the best that the entry knows. */
    label: plain,
    /** The app that the record belongs to. Null where it belongs to none, or is one itself. */
    appId: id.nullable(),
    action: z.enum(["insert", "update", "delete"]),
    /** A person, a sold app's key, a job of ours, or somebody at the database itself. */
    actor: z.object({
      kind: z.enum(["user", "key", "system", "database"]),
      id: id.nullable(),
      name: plain.nullable(),
    }),
    /** Where it came from; null to those who may not read the audit log. */
    address: plain.nullable(),
    requestId: plain.nullable(),
    reason: plain.nullable(),
    changes: z.array(z.object({ field: plain, before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: "Activity" });
export type Activity = z.output<typeof entry>;

export const activityPage = z.object({ items: z.array(entry), next: plain.nullable() });

export const activityQuery = z.strictObject({
  /** Entries older than this one. */
  after: token(/^[1-9]\d{0,17}$/, "must be the id of an entry").optional(),
});

export const getAppActivity = endpoint({
  method: "GET",
  path: "/apps/:id/activity",
  summary: "List what happened to an app and its keys, newest first",
  permission: "apps:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});

export const listActivity = endpoint({
  method: "GET",
  path: "/activity",
  summary: "List what happened lately to everything you may read, newest first",
  permission: "signed in",
  query: activityQuery,
  reply: activityPage,
});
