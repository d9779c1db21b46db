import { getAppImpact, resumeApp, suspendApp } from "@purser/contract/apps/endpoints";
import { app as appReply } from "@purser/contract/apps/fields";
import type { FastifyInstance } from "fastify";
import { existing, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { findImpact, findKeyUse } from "./impactQueries.ts";
import { refusalToResume, refusalToSuspend } from "./lifecycle.ts";
import { lockApp, setSuspension } from "./queries.ts";
import { readApp } from "./routes.ts";
import type { TellSuspension } from "./suspension.ts";

export const suspensionRoutes = (app: FastifyInstance, tellSuspension: TellSuspension) => {
  serve(app, getAppImpact, async ({ db, query: { ids }, now }) => ({
    ...(await findImpact(db, { of: "apps", ids, now })),
    keys: await findKeyUse(db, ids, now),
  }));

  serve(app, suspendApp, async ({ db, params: { id }, assertVersion, now, enqueue }) => {
    refuse(refusalToSuspend(assertVersion(existing(await lockApp(db, id), "app"), appReply)));
    await setSuspension(db, id, now);
    await enqueue(tellSuspension, { appId: id });
    return readApp(db, id);
  });

  serve(app, resumeApp, async ({ db, params: { id }, assertVersion, enqueue }) => {
    refuse(refusalToResume(assertVersion(existing(await lockApp(db, id), "app"), appReply)));
    await setSuspension(db, id, null);
    await enqueue(tellSuspension, { appId: id });
    return readApp(db, id);
  });
};
