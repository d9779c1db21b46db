import {
  activateFeature,
  archiveFeature,
  bulkFeatures,
  changeFeature,
  countFeatures,
  createFeature,
  deleteFeature,
  exportFeatures,
  getFeature,
  getFeatureActivity,
  getFeatureImpact,
  listFeatures,
  listFeatureUses,
  previewBulkFeatures,
  restoreFeature,
  startBulkFeatures,
  startFeaturesExport,
} from "@purser/contract/features/endpoints";
import { feature as featureReply } from "@purser/contract/features/fields";
import { plain } from "@purser/contract/fields/text";
import type { FastifyInstance } from "fastify";
import { findImpact } from "#modules/apps/impactQueries.ts";
import {
  type Action,
  bulkLifecycle,
  decideBulk,
  refusalOfAction,
  statusAfter,
} from "#modules/apps/lifecycle.ts";
import { lockApp, lockPackagesWith, setStatus } from "#modules/apps/queries.ts";
import { findActivity } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
import { serveBulkJobs, serveExportJob } from "#platform/lists/jobs/start.ts";
import { message } from "#platform/messages.ts";
import {
  countFeaturesByStatus,
  featureFile,
  findFeature,
  findFeatures,
  findFeaturesById,
  findUses,
  insertFeature,
  isGranted,
  lockFeature,
  lockFeatures,
  removeFeature,
  replaceDetails,
} from "./queries.ts";
import { refusalToChange, refusalToCreate, refusalToDelete } from "./rules.ts";

const readFeature = async (db: Db, id: string) => existing(await findFeature(db, id), "feature");

const actions = {
  activate: activateFeature,
  archive: archiveFeature,
  restore: restoreFeature,
} as const;

export const featureListRoutes = (app: FastifyInstance) => {
  serve(app, listFeatures, ({ db, query, paging }) => findFeatures(db, query, paging));

  serve(app, countFeatures, ({ db }) => countFeaturesByStatus(db));

  const file = {
    name: "features" as const,
    list: featureFile,
    row: featureReply.extend({ app: plain }),
  };
  serveExport(app, exportFeatures, file);
  serveExportJob(app, startFeaturesExport, file);

  serveBulkJobs(app, "features", {
    start: startBulkFeatures,
    preview: previewBulkFeatures,
    ...bulkLifecycle("feature", { endpoint: bulkFeatures, list: featureFile }),
  });

  serve(app, bulkFeatures, async ({ db, body: { action, features: targets }, now }) => {
    const ids = targets.map(({ id }) => id);
    if (action === "archive") await lockPackagesWith(db, "features", ids);
    const stored = await lockFeatures(db, ids);
    const { allowed, refused } = decideBulk("feature", action, { targets, stored });
    await setStatus(db, "features", { ids: allowed, status: statusAfter[action], now });
    return { done: await findFeaturesById(db, allowed), refused };
  });
};

export const featureRoutes = (app: FastifyInstance) => {
  serve(app, getFeatureImpact, ({ db, query: { ids }, now }) =>
    findImpact(db, { of: "features", ids, now }),
  );

  serve(app, getFeature, ({ db, params: { id } }) => readFeature(db, id));

  serve(app, createFeature, async ({ db, body: { reason: _, appId, ...details } }) => {
    const owner = await lockApp(db, appId);
    if (!owner) throw invalidAt("/appId", message("app_unknown", "Choose an app."));
    refuse(refusalToCreate(owner));
    return readFeature(db, await insertFeature(db, appId, details));
  });

  serve(app, changeFeature, async ({ db, params: { id }, body, assertVersion }) => {
    const { reason: _, ...details } = body;
    const stored = assertVersion(existing(await lockFeature(db, id), "feature"), featureReply);
    refuse(refusalToChange(stored, details));
    await replaceDetails(db, id, details);
    return readFeature(db, id);
  });

  for (const action of Object.keys(actions) as Action[])
    serve(app, actions[action], async ({ db, params: { id }, assertVersion, now }) => {
      if (action === "archive") await lockPackagesWith(db, "features", [id]);
      const stored = assertVersion(existing(await lockFeature(db, id), "feature"), featureReply);
      refuse(refusalOfAction("feature", stored.status, action));
      await setStatus(db, "features", { ids: [id], status: statusAfter[action], now });
      return readFeature(db, id);
    });

  serve(app, deleteFeature, async ({ db, params: { id }, assertVersion }) => {
    const stored = assertVersion(existing(await lockFeature(db, id), "feature"), featureReply);
    refuse(refusalToDelete(stored, await isGranted(db, id)));
    await removeFeature(db, id);
  });

  serve(app, listFeatureUses, async ({ db, params: { id }, now }) => {
    await readFeature(db, id);
    return { items: await findUses(db, id, now) };
  });

  serve(app, getFeatureActivity, async ({ db, params: { id }, query: { after }, session }) => {
    const records = [{ entity: "features", id }];
    const activity = await findActivity(db, { records, after }, session);
    // The activity of a deleted draft can still be read.
    if (activity.items.length === 0) await readFeature(db, id);
    return activity;
  });
};
