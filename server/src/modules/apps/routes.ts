import {
  activateApp,
  archiveApp,
  bulkApps,
  changeApp,
  countApps,
  createApp,
  deleteApp,
  exportApps,
  getApp,
  listApps,
  previewBulkApps,
  restoreApp,
  startAppsExport,
  startBulkApps,
} from "@purser/contract/apps/endpoints";
import { app as appReply } from "@purser/contract/apps/fields";
import {
  appKey,
  changeKeyOrigins,
  createAppKey,
  getCallingApp,
  listAppKeys,
  revokeAppKey,
} from "@purser/contract/apps/keys";
import { getAppActivity } from "@purser/contract/workspace/audit";
import type { FastifyInstance } from "fastify";
import { findActivity } from "#platform/audit/activity.ts";
import { newKeySecret } from "#platform/auth/apiKeys.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
import { serveBulkJobs, serveExportJob } from "#platform/lists/jobs/start.ts";
import { message } from "#platform/messages.ts";
import {
  type Action,
  bulkLifecycle,
  decideBulk,
  refusalOfAction,
  statusAfter,
} from "./lifecycle.ts";
import {
  appList,
  countAppsByStatus,
  countFeatures,
  findApp,
  findApps,
  findAppsById,
  findKeyIds,
  findKeys,
  insertApp,
  insertKey,
  lockApp,
  lockApps,
  lockKey,
  lockPackagesWith,
  removeApp,
  replaceDetails,
  replaceOrigins,
  revokeKey,
  setStatus,
} from "./queries.ts";
import {
  refusalToChange,
  refusalToChangeKey,
  refusalToDelete,
  refusalToListOrigins,
} from "./rules.ts";

export const readApp = async (db: Db, id: string) => existing(await findApp(db, id), "app");

const actions = { activate: activateApp, archive: archiveApp, restore: restoreApp } as const;

export const appListRoutes = (app: FastifyInstance) => {
  serve(app, listApps, ({ db, query, paging }) => findApps(db, query, paging));

  serve(app, countApps, ({ db }) => countAppsByStatus(db));

  const file = { name: "apps" as const, list: appList, row: appReply };
  serveExport(app, exportApps, file);
  serveExportJob(app, startAppsExport, file);

  serveBulkJobs(app, "apps", {
    start: startBulkApps,
    preview: previewBulkApps,
    ...bulkLifecycle("app", { endpoint: bulkApps, list: appList }),
  });

  serve(app, bulkApps, async ({ db, body: { action, apps: targets }, now }) => {
    const ids = targets.map(({ id }) => id);
    if (action === "archive") await lockPackagesWith(db, "apps", ids);
    const stored = await lockApps(db, ids);
    const { allowed, refused } = decideBulk("app", action, { targets, stored });
    await setStatus(db, "apps", { ids: allowed, status: statusAfter[action], now });
    return { done: await findAppsById(db, allowed), refused };
  });
};

export const appRoutes = (app: FastifyInstance) => {
  serve(app, getApp, ({ db, params: { id } }) => readApp(db, id));

  serve(app, createApp, async ({ db, body: { reason: _, ...details } }) =>
    readApp(db, await insertApp(db, details)),
  );

  serve(app, changeApp, async ({ db, params: { id }, body, assertVersion }) => {
    const { reason: _, ...details } = body;
    const stored = assertVersion(existing(await lockApp(db, id), "app"), appReply);
    refuse(refusalToChange("app", stored, details));
    await replaceDetails(db, id, details);
    return readApp(db, id);
  });

  for (const action of Object.keys(actions) as Action[])
    serve(app, actions[action], async ({ db, params: { id }, assertVersion, now }) => {
      if (action === "archive") await lockPackagesWith(db, "apps", [id]);
      const stored = assertVersion(existing(await lockApp(db, id), "app"), appReply);
      refuse(refusalOfAction("app", stored.status, action));
      await setStatus(db, "apps", { ids: [id], status: statusAfter[action], now });
      return readApp(db, id);
    });

  serve(app, deleteApp, async ({ db, params: { id }, assertVersion }) => {
    const stored = assertVersion(existing(await lockApp(db, id), "app"), appReply);
    refuse(refusalToDelete(stored, await countFeatures(db, id)));
    await removeApp(db, id);
  });

  serve(app, getAppActivity, async ({ db, params: { id }, query: { after }, session }) => {
    const keys = (await findKeyIds(db, id)).map((keyId) => ({ entity: "app_keys", id: keyId }));
    const records = [{ entity: "apps", id }, ...keys];
    const activity = await findActivity(db, { records, after }, session);
    // The activity of a deleted draft can still be read.
    if (activity.items.length === 0) await readApp(db, id);
    return activity;
  });
};

export const appKeyRoutes = (app: FastifyInstance) => {
  serve(app, listAppKeys, async ({ db, params: { id } }) => {
    await readApp(db, id);
    return { items: await findKeys(db, id) };
  });

  serve(app, createAppKey, async ({ db, params: { id }, body: { reason: _, ...details }, now }) => {
    existing(await lockApp(db, id), "app");
    if (details.expiresAt && details.expiresAt <= now)
      throw invalidAt("/expiresAt", message("date_past", "Choose a date and time in the future."));
    const { secret, ...hidden } = newKeySecret(details.kind, app.platform.testMode !== null);
    const key = await insertKey(db, { ...details, ...hidden, appId: id }, now);
    return { ...key, secret };
  });

  serve(app, revokeAppKey, async ({ db, params: { id, keyId }, now }) => {
    refuse(refusalToChangeKey(existing(await lockKey(db, id, keyId), "appKey")));
    return revokeKey(db, keyId, now);
  });

  serve(app, changeKeyOrigins, async ({ db, params: { id, keyId }, body, assertVersion }) => {
    const key = assertVersion(existing(await lockKey(db, id, keyId), "appKey"), appKey);
    refuse(refusalToChangeKey(key) ?? refusalToListOrigins(key));
    return replaceOrigins(db, keyId, body.origins);
  });

  serve(app, getCallingApp, async ({ db, key }) => {
    const { id, code, name, status, suspendedAt } = await readApp(db, key.appId);
    const { kind, scopes, expiresAt } = key;
    return {
      app: { id, code, name, status, suspendedAt },
      key: { id: key.id, kind, scopes, expiresAt },
    };
  });
};
