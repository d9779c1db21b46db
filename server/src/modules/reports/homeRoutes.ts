import { getSetup, setupSteps } from "@purser/contract/reports/home";
import type { FastifyInstance } from "fastify";
import { serve } from "#platform/http/serve.ts";
import { findSetup } from "./homeQueries.ts";

export const homeRoutes = (app: FastifyInstance) => {
  serve(app, getSetup, async ({ db, session: { userId } }) => {
    const done = await findSetup(db, userId);
    return { steps: setupSteps.map((step) => ({ step, isDone: done?.[step] ?? false })) };
  });
};
