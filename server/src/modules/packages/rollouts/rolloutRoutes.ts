import {
  exportRolloutMigrations,
  listRolloutMigrations,
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
import { message } from "#platform/messages.ts";
import { readPackage } from "../routes.ts";
import { rollOut } from "./rolloutJob.ts";
import {
  findMigrations,
  findRollout,
  findRollouts,
  lockRollout,
  migrationsStatement,
  setRolloutStatus,
} from "./rolloutQueries.ts";

const moveRow = z.object({
  userId: z.uuid(),
  email: z.string(),
  name: z.string(),
  from: z.int(),
  outcome: z.enum(["migrated", "at renewal", "kept"]),
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
      throw new Problem(
        "wrong_state",
        status === "paused"
          ? message("rollout_already_paused", "This rollout is already paused.")
          : message("rollout_done", "This rollout is already finished."),
      );
    await setRolloutStatus(db, id, "paused");
    return readRollout(db, id);
  });

  serve(app, resumeRollout, async ({ db, params: { id }, enqueue }) => {
    const { status, startsAt } = existing(await lockRollout(db, id), "rollout");
    if (status !== "paused")
      throw new Problem("wrong_state", message("rollout_not_paused", "This rollout isn't paused."));
    await setRolloutStatus(db, id, "waiting");
    await enqueue(rollOut, { rolloutId: id }, startsAt);
    return readRollout(db, id);
  });

  serve(app, listRolloutMigrations, async ({ db, params: { id }, query: { after } }) => {
    await readRollout(db, id);
    return findMigrations(db, id, after);
  });

  serveFile(app, exportRolloutMigrations, "rollout", async ({ db, params: { id } }) => {
    await readRollout(db, id);
    return {
      ...migrationsStatement(id),
      columns: Object.keys(moveRow.shape),
      row: moveRow,
    };
  });
};
