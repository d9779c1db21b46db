import {
  cancelSimulation,
  getSimulation,
  simulationDays,
  startSimulation,
} from "@purser/contract/promotions/simulations";
import type { FastifyInstance } from "fastify";
import { findOneConsidered } from "#modules/promotions/pricing/queries.ts";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { simulatePromotion } from "./jobs.ts";
import {
  deleteSimulationsBefore,
  insertSimulation,
  readSimulation,
  setSimulationCanceled,
} from "./queries.ts";

const dayMs = 86_400_000;
const keptDays = 7;

export const simulationRoutes = (app: FastifyInstance) => {
  serve(app, startSimulation, async ({ db, body, now, session, enqueue }) => {
    const { details, promotionId = null } = body;
    if (promotionId) existing(await findOneConsidered(db, promotionId, null), "promotion");
    const from = new Date(+now - simulationDays * dayMs);
    await deleteSimulationsBefore(db, new Date(+now - keptDays * dayMs));
    const id = await insertSimulation(db, { details, promotionId, from, now, by: session.userId });
    await enqueue(simulatePromotion, { id });
    return readSimulation(db, id);
  });

  serve(app, getSimulation, ({ db, params: { id } }) => readSimulation(db, id));

  serve(app, cancelSimulation, async ({ db, params: { id } }) => {
    await setSimulationCanceled(db, id);
    return readSimulation(db, id);
  });
};
