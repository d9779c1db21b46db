import {
  checksKeptDays,
  getAppIntegration,
  listAppDenials,
  listCheckedFeatures,
  listDenials,
} from "@purser/contract/integration/endpoints";
import type { FastifyInstance } from "fastify";
import { findApp } from "#modules/apps/queries.ts";
import { findUser } from "#modules/users/customers/queries.ts";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { readCheckedFeatures } from "./checkedFeatures.ts";
import { readDenialsOfApp } from "./denials.ts";
import { findDenials, findSetup } from "./figureQueries.ts";
import { findFigures } from "./figures.ts";

const dayMs = 86_400_000;

/** What developers see of an app's checks, and support of a customer's denials. */
export const integrationRoutes = (app: FastifyInstance) => {
  serve(app, getAppIntegration, async ({ db, params: { id }, query, now }) => {
    const setup = existing(await findSetup(db, id, now), "app");
    const { period, key = null } = query;
    return { ...(await findFigures(db, { appId: id, period, key, now })), setup };
  });

  serve(app, listCheckedFeatures, async ({ db, params, query, now }) => {
    const { id: appId } = existing(await findApp(db, params.id), "app");
    return readCheckedFeatures(db, { appId, query, now });
  });

  serve(app, listAppDenials, async ({ db, params, query, paging }) => {
    const { id: appId } = existing(await findApp(db, params.id), "app");
    return readDenialsOfApp(db, { appId, query, paging });
  });

  serve(app, listDenials, async ({ db, params: { id }, session, now }) => {
    existing(await findUser(db, session, id), "user");
    const since = new Date(now.getTime() - checksKeptDays * dayMs);
    return { items: await findDenials(db, id, since) };
  });
};
