import { z } from "zod";
import { required } from "../fields/commonRules.ts";
import { instant, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { actionBody, bulkReply, bulkTargets } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
import { previewBulk, startBulk, startExport } from "../http/listJobs.ts";
import { app, appColumns, appDetails, appListFields } from "./fields.ts";
import { impactQuery, recordImpact } from "./impact.ts";

export const listApps = endpoint({
  method: "GET",
  path: "/apps",
  summary: "List apps",
  permission: "apps:read",
  query: listQuery(appListFields),
  reply: pageOf(app),
});

export const countApps = endpoint({
  method: "GET",
  path: "/apps/counts",
  summary: "Count apps by status",
  permission: "apps:read",
  reply: z.object({ draft: rowCount, active: rowCount, archived: rowCount }),
});

export const exportApps = endpoint({
  method: "GET",
  path: "/apps/export",
  summary: "Export apps as CSV or JSON lines",
  permission: "apps:export",
  proof: "recent",
  query: exportQuery(appListFields, appColumns),
  reply: plain,
  file: true,
});

export const startAppsExport = startExport("apps", exportApps);

const appBulkActions = ["activate", "archive", "restore"] as const;

export const previewBulkApps = previewBulk("apps", appListFields, appBulkActions);
export const startBulkApps = startBulk("apps", appListFields, appBulkActions);

export const bulkApps = endpoint({
  method: "POST",
  path: "/apps/bulk",
  summary: "Activate, archive or restore up to 100 apps",
  permission: "apps:write",
  body: z.strictObject({
    action: z.enum(appBulkActions),
    apps: bulkTargets,
    reason: reason.optional(),
  }),
  reply: bulkReply(app),
});

export const getAppImpact = endpoint({
  method: "GET",
  path: "/apps/impact",
  summary: "Preview what archiving or suspending apps affects",
  permission: "apps:read",
  query: impactQuery,
  reply: recordImpact.extend({
    keys: z.object({
      /** Keys that are neither revoked nor expired. */
      valid: z.int(),
      /** When one of them made a request last. */
      lastUsedAt: instant.nullable(),
    }),
  }),
});

export const getApp = endpoint({
  method: "GET",
  path: "/apps/:id",
  summary: "Retrieve an app",
  permission: "apps:read",
  params: record,
  reply: app,
});

export const createApp = endpoint({
  method: "POST",
  path: "/apps",
  summary: "Create an app",
  permission: "apps:write",
  body: appDetails,
  reply: app,
  status: 201,
  refusals: ["taken"],
});

export const changeApp = endpoint({
  method: "PUT",
  path: "/apps/:id",
  summary: "Update an app",
  permission: "apps:write",
  params: record,
  body: appDetails,
  reply: app,
  versioned: true,
  refusals: ["taken", "code_frozen", "wrong_state"],
});

export const activateApp = endpoint({
  method: "POST",
  path: "/apps/:id/activate",
  summary: "Activate an app",
  permission: "apps:write",
  params: record,
  body: actionBody,
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const archiveApp = endpoint({
  method: "POST",
  path: "/apps/:id/archive",
  summary: "Archive an app, so that packages with it can't be sold",
  permission: "apps:write",
  params: record,
  body: actionBody,
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restoreApp = endpoint({
  method: "POST",
  path: "/apps/:id/restore",
  summary: "Restore an archived app",
  permission: "apps:write",
  params: record,
  body: actionBody,
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const suspendApp = endpoint({
  method: "POST",
  path: "/apps/:id/suspend",
  summary: "Suspend an app, so that its customers have no access until it is resumed",
  permission: "apps:suspend",
  params: record,
  body: z.strictObject({ reason: reason.min(1, required) }),
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const resumeApp = endpoint({
  method: "POST",
  path: "/apps/:id/resume",
  summary: "Resume a suspended app",
  permission: "apps:suspend",
  params: record,
  body: actionBody,
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deleteApp = endpoint({
  method: "DELETE",
  path: "/apps/:id",
  summary: "Delete an unused draft app",
  permission: "apps:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});
