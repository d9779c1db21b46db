import {
  exportRolloutMoves,
  listRolloutMoves,
  listRollouts,
  pauseRollout,
  resumeRollout,
} from "@purser/contract/packages/publishing";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { existing, Problem } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveFile } from "#platform/lists/export.ts";
import { readPackage } from "../routes.ts";
import { rollOut } from "./rolloutJob.ts";
import {
  findMoves,
  findRollout,
  findRollouts,
  lockRollout,
  movesStatement,
  setRolloutStatus,
} from "./rolloutQueries.ts";

const moveRow = z.object({
  userId: z.uuid(),
  email: z.string(),
  name: z.string(),
  from: z.int(),
  outcome: z.enum(["moved", "at renewal", "stays"]),
  effectiveAt: z.date().nullable(),
});

export const rolloutRoutes = (app: FastifyInstance) => {
  const readRollout = async (db: Db, id: string) => existing(await findRollout(db, id), "rollout");

  serve(app, listRollouts, async ({ db, params: { id } }) => {
    await readPackage(db, id);
    return { items: await findRollouts(db, id) };
  });

  serve(app, pauseRollout, async ({ db, params: { id } }) => {
    const { status } = existing(await lockRollout(db, id), "rollout");
    if (status !== "waiting" && status !== "running")
      throw new Problem("wrong_state", `Only a rollout under way can be paused. It is ${status}.`);
    await setRolloutStatus(db, id, "paused");
    return readRollout(db, id);
  });

  serve(app, resumeRollout, async ({ db, params: { id }, enqueue }) => {
    const { status, startsAt } = existing(await lockRollout(db, id), "rollout");
    if (status !== "paused")
      throw new Problem("wrong_state", `Only a paused rollout can go on. This one is ${status}.`);
    await setRolloutStatus(db, id, "waiting");
    await enqueue(rollOut, { rolloutId: id }, startsAt);
    return readRollout(db, id);
  });

  serve(app, listRolloutMoves, async ({ db, params: { id }, query: { after } }) => {
    await readRollout(db, id);
    return findMoves(db, id, after);
  });

  serveFile(app, exportRolloutMoves, "rollout", async ({ db, params: { id } }) => {
    await readRollout(db, id);
    return {
      ...movesStatement(id),
      columns: Object.keys(moveRow.shape),
      row: moveRow,
    };
  });
};
