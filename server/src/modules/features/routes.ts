import {
  activateFeature,
  actOnFeatures,
  archiveFeature,
  changeFeature,
  countFeatures,
  createFeature,
  deleteFeature,
  exportFeatures,
  getFeature,
  getFeatureActivity,
  listFeatures,
  listFeatureUses,
  restoreFeature,
} from "@purser/contract/features/endpoints";
import { feature as featureReply } from "@purser/contract/features/fields";
import { plain } from "@purser/contract/fields/text";
import type { FastifyInstance } from "fastify";
import { lockApp } from "#modules/apps/queries.ts";
import { findActivity } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
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
  setStatus,
} from "./queries.ts";
import {
  type Act,
  nextStatus,
  refusalToAct,
  refusalToChange,
  refusalToCreate,
  refusalToDelete,
  statusAfter,
} from "./rules.ts";

const readFeature = async (db: Db, id: string) => existing(await findFeature(db, id), "feature");

const acts = {
  activate: activateFeature,
  archive: archiveFeature,
  restore: restoreFeature,
} as const;

export const featureListRoutes = (app: FastifyInstance) => {
  serve(app, listFeatures, ({ db, query, paging }) => findFeatures(db, query, paging));

  serve(app, countFeatures, ({ db }) => countFeaturesByStatus(db));

  const row = featureReply.extend({ app: plain });
  serveExport(app, exportFeatures, { name: "features", list: featureFile, row });

  serve(app, actOnFeatures, async ({ db, body: { act, features }, now }) => {
    // As the database writes them.
    const chosen = features.map((one) => ({ ...one, id: one.id.toLowerCase() }));
    const all = chosen.map(({ id }) => id);
    const stored = new Map((await lockFeatures(db, all)).map((one) => [one.id, one]));
    const decided = chosen.map(({ id, version }) => ({
      id,
      name: stored.get(id)?.name ?? "",
      refusal: refusalToAct(stored.get(id), act, version),
    }));
    const ids = decided.flatMap(({ id, refusal }) => (refusal ? [] : [id]));
    await setStatus(db, ids, nextStatus[act], now);
    return {
      done: await findFeaturesById(db, ids),
      refused: decided.flatMap(({ id, name, refusal }) =>
        refusal ? [{ id, name, ...refusal }] : [],
      ),
    };
  });
};

export const featureRoutes = (app: FastifyInstance) => {
  serve(app, getFeature, ({ db, params: { id } }) => readFeature(db, id));

  serve(app, createFeature, async ({ db, body: { reason: _, appId, ...details } }) => {
    const owner = await lockApp(db, appId);
    if (!owner) throw invalidAt("/appId", "unknown", "must be the id of an app");
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

  for (const act of Object.keys(acts) as Act[])
    serve(app, acts[act], async ({ db, params: { id }, assertVersion, now }) => {
      const stored = assertVersion(existing(await lockFeature(db, id), "feature"), featureReply);
      const status = statusAfter(stored.status, act);
      if (typeof status !== "string") throw new Problem(status.code, status.detail);
      await setStatus(db, [id], status, now);
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
    // A deleted draft is gone, but what happened to it is not.
    if (activity.items.length === 0) await readFeature(db, id);
    return activity;
  });
};
