import { z } from "zod";
import { type Job, job } from "#platform/jobs/queues.ts";
import { shareWork } from "#platform/jobs/shareWork.ts";
import { takeStep } from "./rolloutQueries.ts";

const payload = z.object({ rolloutId: z.uuid() });

/** Migrates the subscribers of a package in batches until it is done or paused, by any number of workers. */
export const rollOut: Job<typeof payload> = job({
  name: "roll-out",
  payload,
  inSteps: true,
  run: async ({ now, step, enqueue }, { rolloutId }) => {
    await shareWork(
      () => step((db) => takeStep(db, rolloutId, now)),
      () => enqueue(rollOut, { rolloutId }),
    );
  },
});
