import { getSetup, setupSteps } from "@purser/contract/reports/home";
import type { FastifyInstance } from "fastify";
import { serve } from "#platform/http/serve.ts";
import { findSetup } from "./homeQueries.ts";

export const homeRoutes = (app: FastifyInstance) => {
  serve(app, getSetup, async ({ db, session: { userId } }) => {
    const accounts = app.platform.testMode?.dbOfLive ?? db;
    const done = await findSetup(db, { userId, accounts });
    return { steps: setupSteps.map((step) => ({ step, isDone: done[step] ?? false })) };
  });
};
