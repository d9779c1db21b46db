import { z } from "zod";
import { entityNames } from "../entities.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, token } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, type Fields, listQuery, pageOf } from "../http/list.ts";

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
    /** The entry that this one sets back, and the one that set this one back. */
    reverts: plain.nullable(),
    revertedBy: plain.nullable(),
    /** Whether you may try to set it back. */
    canRevert: z.boolean(),
  })
  .meta({ id: "Activity" });
export type Activity = z.output<typeof entry>;

export const activityPage = z.object({ items: z.array(entry), next: plain.nullable() });

const entryId = token(/^[1-9]\d{0,17}$/, "must be the id of an entry");

export const activityQuery = z.strictObject({
  /** Entries older than this one. */
  after: entryId.optional(),
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

/** What entries can be about, by the names of the tables. */
export const auditedEntities = [
  ...entityNames,
  "app_keys",
  "approvals",
  "audit_redactions",
  "authenticators",
  "exports",
  "grants",
  "identities",
  "package_versions",
  "passkeys",
  "personal_exports",
  "passwords",
  "promotion_amounts",
  "promotion_codes",
  "promotion_packages",
  "promotion_people",
  "rollouts",
  "settings",
  "subscriptions",
  "user_notes",
  "version_apps",
  "version_prices",
  "version_values",
  "webhook_endpoints",
] as const;

export const auditFields = {
  at: { kind: "instant", sort: true },
  actor: { kind: "relation" },
  actorKind: { kind: "choice", options: ["user", "key", "system", "database"] },
  entity: { kind: "choice", options: auditedEntities },
  action: { kind: "choice", options: ["insert", "update", "delete"] },
  record: { kind: "relation" },
  request: { kind: "text" },
  reason: { kind: "text" },
} as const satisfies Fields;

const oneEntry = z.strictObject({ id: entryId });

export const listAudit = endpoint({
  method: "GET",
  path: "/audit",
  summary: "List all changes by everybody, newest first",
  permission: "audit:read",
  query: listQuery(auditFields),
  reply: pageOf(entry),
});

export const getAuditEntry = endpoint({
  method: "GET",
  path: "/audit/:id",
  summary: "Read one entry of the audit log",
  permission: "audit:read",
  params: oneEntry,
  reply: entry,
});

export const auditColumns = [
  "id",
  "at",
  "actorKind",
  "actorId",
  "actorName",
  "address",
  "action",
  "entity",
  "recordId",
  "label",
  "reason",
  "requestId",
  "reverts",
  "changes",
] as const;

export const exportAudit = endpoint({
  method: "GET",
  path: "/audit/export",
  summary:
    "Take the audit log away as a file: CSV, or one JSON document per line. That is an entry too",
  permission: "audit:read",
  query: exportQuery(auditFields, auditColumns, entryId),
  reply: plain,
  file: true,
});

export const getVerification = endpoint({
  method: "GET",
  path: "/audit/verification",
  summary: "Tell how far the audit log is chained, and what the last verification found",
  permission: "audit:read",
  reply: z.object({
    lastEntry: plain.nullable(),
    /** The newest seal; entries younger than it wait for the next one. */
    sealed: z.object({ seal: z.int(), at: instant }).nullable(),
    verified: z
      .object({
        at: instant,
        upToEntry: plain,
        /** The first thing that did not add up. */
        broken: z.object({ what: plain, number: plain }).nullable(),
      })
      .nullable(),
  }),
});

const revertPreview = z
  .object({
    entry: plain,
    /** What would be done, and to what. */
    act: z.enum(["change", "archive", "restore", "delete"]).nullable(),
    label: plain,
    sets: z.array(z.object({ field: plain, from: z.unknown(), to: z.unknown() })),
    /** Of the record; the revert names it with `If-Match`. */
    version: version.nullable(),
    /** Why it cannot be set back, what to do instead and where, or which later entry is in the way. */
    refusal: z
      .object({
        code: plain,
        detail: plain,
        place: z.object({ label: plain, path: plain }).nullable(),
        later: z.object({ id: plain, at: instant, actorName: plain.nullable() }).nullable(),
      })
      .nullable(),
  })
  .meta({ id: "RevertPreview" });
export type RevertPreview = z.output<typeof revertPreview>;

export const previewRevert = endpoint({
  method: "GET",
  path: "/audit/:id/revert",
  summary: "Say what setting an entry back would do; nothing is stored",
  permission: "signed in",
  params: oneEntry,
  reply: revertPreview,
});

export const revertEntry = endpoint({
  method: "POST",
  path: "/audit/:id/revert",
  summary: "Set back what an entry changed, as a new change by the same rules as any other",
  permission: "signed in",
  params: oneEntry,
  body: actionBody,
  reply: entry,
  versioned: true,
  refusals: ["wrong_state", "taken", "in_use", "code_frozen", "frozen"],
});
