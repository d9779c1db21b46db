import {
  checksKeptDays,
  getAppIntegration,
  listDenials,
} from "@purser/contract/integration/endpoints";
import type { FastifyInstance } from "fastify";
import { findUser } from "#modules/users/customers/queries.ts";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
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

  serve(app, listDenials, async ({ db, params: { id }, session, now }) => {
    existing(await findUser(db, session, id), "user");
    const since = new Date(now.getTime() - checksKeptDays * dayMs);
    return { items: await findDenials(db, id, since) };
  });
};
