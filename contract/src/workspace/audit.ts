import { z } from "zod";
import { entityNames } from "../entities.ts";
import { id, instant, nothing, record, version } from "../fields/primitives.ts";
import { plain, token } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, type Fields, listQuery, pageOf } from "../http/list.ts";
import { rule } from "../messages/rules.ts";
import { message } from "../messages/schema.ts";
import { type Topic, topics } from "./topics.ts";

export const auditEntry = z
  .object({
    id: plain,
    at: instant,
    /** The table of the record. */
    entity: plain,
    recordId: id,
    /** The name of the record, or the closest that the entry has. */
    label: plain,
    /** The app of the record; null for apps and records without one. */
    appId: id.nullable(),
    action: z.enum(["insert", "update", "delete"]),
    /** A user, an API key, a job, or a direct database change. */
    actor: z.object({
      kind: z.enum(["user", "key", "system", "database"]),
      id: id.nullable(),
      name: plain.nullable(),
    }),
    /** The origin of the request; null for users who can't read the audit log. */
    address: plain.nullable(),
    requestId: plain.nullable(),
    reason: plain.nullable(),
    changes: z.array(z.object({ field: plain, before: z.unknown(), after: z.unknown() })),
    /** The entry that this one reverts, and the one that reverted it. */
    reverts: plain.nullable(),
    revertedBy: plain.nullable(),
    /** Whether the user can try to revert it. */
    canRevert: z.boolean(),
  })
  .meta({ id: "Activity" });
export type Activity = z.output<typeof auditEntry>;

export const activityPage = z.object({ items: z.array(auditEntry), next: plain.nullable() });

const entryId = token(/^[1-9]\d{0,17}$/, rule("entry_id_invalid", "Enter the ID of an entry."));

export const activityQuery = z.strictObject({
  /** Entries older than this one. */
  after: entryId.optional(),
});

export const getAppActivity = endpoint({
  method: "GET",
  path: "/apps/:id/activity",
  summary: "List an app's activity",
  permission: "apps:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});

export const listActivity = endpoint({
  method: "GET",
  path: "/activity",
  summary: "List recent activity",
  permission: "signed in",
  query: activityQuery,
  reply: activityPage,
});

/** The audited tables. */
export const auditedEntities = [
  ...entityNames,
  "app_keys",
  "approvals",
  "attention_marks",
  "audit_redactions",
  "audit_removals",
  "audit_retention",
  "authenticators",
  "balance_entries",
  "exports",
  "grants",
  "identities",
  "imports",
  "package_versions",
  "passkeys",
  "personal_exports",
  "passwords",
  "promotion_amounts",
  "promotion_codes",
  "promotion_packages",
  "promotion_people",
  "rollouts",
  "service_accounts",
  "service_keys",
  "settings",
  "signing_keys",
  "subscriptions",
  "tax_rates",
  "usage_corrections",
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
  topic: { kind: "choice", options: Object.keys(topics) as Topic[] },
} as const satisfies Fields;

export const oneEntry = z.strictObject({ id: entryId });

export const listAudit = endpoint({
  method: "GET",
  path: "/audit",
  summary: "List audit log entries",
  permission: "audit:read",
  query: listQuery(auditFields),
  reply: pageOf(auditEntry),
});

export const getAuditEntry = endpoint({
  method: "GET",
  path: "/audit/:id",
  summary: "Retrieve an audit log entry",
  permission: "audit:read",
  params: oneEntry,
  reply: auditEntry,
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
  summary: "Export the audit log as CSV or JSON lines",
  permission: "audit:export",
  proof: "recent",
  query: exportQuery(auditFields, auditColumns, entryId),
  reply: plain,
  file: true,
});

export const getVerification = endpoint({
  method: "GET",
  path: "/audit/verification",
  summary: "Retrieve the verification status of the audit log",
  permission: "audit:read",
  reply: z.object({
    lastEntry: plain.nullable(),
    /** The newest seal; newer entries are not sealed yet. */
    sealed: z.object({ seal: z.int(), at: instant }).nullable(),
    verified: z
      .object({
        at: instant,
        upToEntry: plain,
        /** The first fault that was found. */
        broken: message.nullable(),
      })
      .nullable(),
  }),
});

export const startVerification = endpoint({
  method: "POST",
  path: "/audit/verification",
  summary: "Verify the audit log now, from its start",
  permission: "jobs:write",
  body: nothing,
  status: 202,
});

const revertPreview = z
  .object({
    entry: plain,
    /** The action and its record. */
    action: z.enum(["change", "archive", "restore", "delete", "draft"]).nullable(),
    label: plain,
    sets: z.array(z.object({ field: plain, from: z.unknown(), to: z.unknown() })),
    /** The page that publishes the draft, if the revert creates one. */
    review: plain.nullable(),
    /** The record's version, for `If-Match` of the revert. */
    version: version.nullable(),
    /** Why it can't be reverted, and an alternative or the later entry that prevents it. */
    refusal: z
      .object({
        code: plain,
        detail: message,
        place: z.object({ label: message, path: plain }).nullable(),
        later: z.object({ id: plain, at: instant, actorName: plain.nullable() }).nullable(),
      })
      .nullable(),
  })
  .meta({ id: "RevertPreview" });
export type RevertPreview = z.output<typeof revertPreview>;

export const previewRevert = endpoint({
  method: "GET",
  path: "/audit/:id/revert",
  summary: "Preview reverting an audit log entry",
  permission: "signed in",
  params: oneEntry,
  reply: revertPreview,
});

export const revertEntry = endpoint({
  method: "POST",
  path: "/audit/:id/revert",
  summary: "Revert an audit log entry",
  permission: "signed in",
  params: oneEntry,
  body: actionBody,
  reply: auditEntry,
  versioned: true,
  refusals: ["wrong_state", "taken", "in_use", "code_frozen", "frozen", "proof_required"],
});
