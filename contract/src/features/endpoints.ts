import { z } from "zod";
import { impactQuery, recordImpact } from "../apps/impact.ts";
import { id, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { actionBody, bulkReply, bulkTargets } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
import { previewBulk, startBulk, startExport } from "../http/listJobs.ts";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import {
  feature,
  featureColumns,
  featureDetails,
  featureListFields,
  newFeature,
} from "./fields.ts";

export const listFeatures = endpoint({
  method: "GET",
  path: "/features",
  summary: "List features",
  permission: "features:read",
  query: listQuery(featureListFields),
  reply: pageOf(feature),
});

export const countFeatures = endpoint({
  method: "GET",
  path: "/features/counts",
  summary: "Count features by status",
  permission: "features:read",
  reply: z.object({ draft: rowCount, active: rowCount, archived: rowCount }),
});

export const exportFeatures = endpoint({
  method: "GET",
  path: "/features/export",
  summary: "Export features as CSV or JSON lines",
  permission: "features:export",
  proof: "recent",
  query: exportQuery(featureListFields, featureColumns),
  reply: plain,
  file: true,
});

export const startFeaturesExport = startExport("features", exportFeatures);

const featureBulkActions = ["activate", "archive", "restore"] as const;

export const previewBulkFeatures = previewBulk("features", featureListFields, featureBulkActions);
export const startBulkFeatures = startBulk("features", featureListFields, featureBulkActions);

export const bulkFeatures = endpoint({
  method: "POST",
  path: "/features/bulk",
  summary: "Activate, archive or restore up to 100 features",
  permission: "features:write",
  body: z.strictObject({
    action: z.enum(featureBulkActions),
    features: bulkTargets,
    reason: reason.optional(),
  }),
  reply: bulkReply(feature),
});

export const getFeatureImpact = endpoint({
  method: "GET",
  path: "/features/impact",
  summary: "Preview what archiving features affects",
  permission: "features:read",
  query: impactQuery,
  reply: recordImpact,
});

export const getFeature = endpoint({
  method: "GET",
  path: "/features/:id",
  summary: "Retrieve a feature",
  permission: "features:read",
  params: record,
  reply: feature,
});

export const createFeature = endpoint({
  method: "POST",
  path: "/features",
  summary: "Create a feature",
  permission: "features:write",
  body: newFeature,
  reply: feature,
  status: 201,
  refusals: ["taken", "wrong_state"],
});

export const changeFeature = endpoint({
  method: "PUT",
  path: "/features/:id",
  summary: "Update a feature",
  permission: "features:write",
  params: record,
  body: featureDetails,
  reply: feature,
  versioned: true,
  refusals: ["taken", "frozen", "wrong_state"],
});

export const activateFeature = endpoint({
  method: "POST",
  path: "/features/:id/activate",
  summary: "Activate a feature",
  permission: "features:write",
  params: record,
  body: actionBody,
  reply: feature,
  versioned: true,
  refusals: ["wrong_state"],
});

export const archiveFeature = endpoint({
  method: "POST",
  path: "/features/:id/archive",
  summary: "Archive a feature, so that packages with it can't be sold",
  permission: "features:write",
  params: record,
  body: actionBody,
  reply: feature,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restoreFeature = endpoint({
  method: "POST",
  path: "/features/:id/restore",
  summary: "Restore an archived feature",
  permission: "features:write",
  params: record,
  body: actionBody,
  reply: feature,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deleteFeature = endpoint({
  method: "DELETE",
  path: "/features/:id",
  summary: "Delete an unused draft feature",
  permission: "features:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});

export const listFeatureUses = endpoint({
  method: "GET",
  path: "/features/:id/uses",
  summary: "List the package versions that include a feature",
  permission: "features:read",
  params: record,
  reply: z.object({
    items: z.array(
      z.object({
        package: z.object({ id, code: plain, name: plain }),
        number: z.int(),
        state: z.enum(["draft", "scheduled", "on sale", "superseded", "retired"]),
        value,
        /** Current subscribers of the version. */
        subscribers: z.int(),
      }),
    ),
  }),
});

export const getFeatureActivity = endpoint({
  method: "GET",
  path: "/features/:id/activity",
  summary: "List a feature's activity",
  permission: "features:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
