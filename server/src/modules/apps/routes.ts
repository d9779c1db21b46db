import {
  activateApp,
  app as appReply,
  archiveApp,
  changeApp,
  createApp,
  createAppKey,
  deleteApp,
  getApp,
  getCallingApp,
  listAppKeys,
  listApps,
  restoreApp,
  revokeAppKey,
} from "@purser/contract/apps";
import { getAppActivity } from "@purser/contract/audit";
import type { FastifyInstance } from "fastify";
import { findActivity } from "#platform/audit/activity.ts";
import { newKeySecret } from "#platform/auth/keys.ts";
import type { Db } from "#platform/db/db.ts";
import { notFound, Problem } from "#platform/http/problem.ts";
import { assertVersion, serve } from "#platform/http/serve.ts";
import {
  findApp,
  findApps,
  findKeys,
  insertApp,
  insertKey,
  lockApp,
  lockKey,
  removeApp,
  replaceDetails,
  revokeKey,
  setStatus,
} from "./queries.ts";
import { type Act, refusalOfKey, refusalToChange, refusalToDelete, statusAfter } from "./rules.ts";

const shown = async (db: Db, id: string) => {
  const app = await findApp(db, id);
  if (!app) throw notFound("app");
  return app;
};

/** The stored app, held until the change is committed, if it still is the version that the caller saw. */
const lockVersion = async (db: Db, id: string, version: number) => {
  const app = await lockApp(db, id);
  if (!app) throw notFound("app");
  assertVersion(app, version, appReply);
  return app;
};

const refuse = (refusal: ReturnType<typeof refusalToDelete>) => {
  if (refusal) throw new Problem(refusal.code, refusal.detail);
};

const acts = { activate: activateApp, archive: archiveApp, restore: restoreApp } as const;

export const appRoutes = (app: FastifyInstance) => {
  serve(app, listApps, ({ db, query, paging }) => findApps(db, query, paging));

  serve(app, getApp, ({ db, params: { id } }) => shown(db, id));

  serve(app, createApp, async ({ db, body: { reason: _, ...details } }) =>
    shown(db, await insertApp(db, details)),
  );

  serve(
    app,
    changeApp,
    async ({ db, params: { id }, body: { reason: _, ...details }, version }) => {
      const stored = await lockVersion(db, id, version);
      refuse(refusalToChange(stored, details));
      await replaceDetails(db, id, details);
      return shown(db, id);
    },
  );

  for (const act of Object.keys(acts) as Act[])
    serve(app, acts[act], async ({ db, params: { id }, version, now }) => {
      const stored = await lockVersion(db, id, version);
      const status = statusAfter(stored.status, act);
      if (typeof status !== "string") throw new Problem(status.code, status.detail);
      await setStatus(db, id, status, now);
      return shown(db, id);
    });

  serve(app, deleteApp, async ({ db, params: { id }, version }) => {
    refuse(refusalToDelete(await lockVersion(db, id, version)));
    await removeApp(db, id);
  });

  serve(app, getAppActivity, async ({ db, params: { id }, query: { after }, session }) => {
    const activity = await findActivity(db, { entity: "apps", id, after }, session);
    // A deleted draft is gone, but what happened to it is not.
    if (activity.items.length === 0) await shown(db, id);
    return activity;
  });
};

export const appKeyRoutes = (app: FastifyInstance) => {
  serve(app, listAppKeys, async ({ db, params: { id } }) => {
    await shown(db, id);
    return { items: await findKeys(db, id) };
  });

  serve(app, createAppKey, async ({ db, params: { id }, body: { reason: _, ...details }, now }) => {
    const stored = await lockApp(db, id);
    if (!stored) throw notFound("app");
    refuse(refusalOfKey(stored, details.expiresAt, now));
    const { secret, ...hidden } = newKeySecret(details.kind);
    const key = await insertKey(db, { ...details, ...hidden, appId: id }, now);
    return { ...key, secret };
  });

  serve(app, revokeAppKey, async ({ db, params: { id, keyId }, now }) => {
    const key = await lockKey(db, id, keyId);
    if (!key) throw notFound("key of this app");
    if (key.revokedAt) throw new Problem("wrong_state", "The key was already revoked.");
    return revokeKey(db, keyId, now);
  });

  serve(app, getCallingApp, async ({ db, key }) => {
    const { id, code, name, status } = await shown(db, key.appId);
    const { kind, scopes, expiresAt } = key;
    return { app: { id, code, name, status }, key: { id: key.id, kind, scopes, expiresAt } };
  });
};
