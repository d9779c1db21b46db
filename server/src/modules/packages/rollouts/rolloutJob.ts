import { z } from "zod";
import { job } from "#platform/jobs/queues.ts";
import { takeStep } from "./rolloutQueries.ts";

/** Migrates the subscribers of a package in batches until it is done or paused. */
export const rollOut = job({
  name: "roll-out",
  payload: z.object({ rolloutId: z.uuid() }),
  inSteps: true,
  run: async ({ now, step }, { rolloutId }) => {
    while (await step((db) => takeStep(db, rolloutId, now)));
  },
});
