import {
  cancelReplay,
  getReplay,
  replayDays,
  startReplay,
} from "@purser/contract/promotions/simulations";
import type { FastifyInstance } from "fastify";
import { findOneConsidered } from "#modules/promotions/pricing/queries.ts";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { simulatePromotion } from "./jobs.ts";
import { deleteReplaysBefore, insertReplay, readReplay, setReplayCanceled } from "./queries.ts";

const dayMs = 86_400_000;
const keptDays = 7;

export const simulationRoutes = (app: FastifyInstance) => {
  serve(app, startReplay, async ({ db, body, now, session, enqueue }) => {
    const { details, promotionId = null } = body;
    if (promotionId) existing(await findOneConsidered(db, promotionId, null), "promotion");
    const from = new Date(+now - replayDays * dayMs);
    await deleteReplaysBefore(db, new Date(+now - keptDays * dayMs));
    const id = await insertReplay(db, { details, promotionId, from, now, by: session.userId });
    await enqueue(simulatePromotion, { id });
    return readReplay(db, id);
  });

  serve(app, getReplay, ({ db, params: { id } }) => readReplay(db, id));

  serve(app, cancelReplay, async ({ db, params: { id } }) => {
    await setReplayCanceled(db, id);
    return readReplay(db, id);
  });
};
