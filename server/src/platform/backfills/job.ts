import { z } from "zod";
import { job } from "../jobs/queues.ts";
import { type Backfill, runBatch, waitingOf } from "./backfill.ts";

// Less than the minute until the next job, which continues.
const runMs = 50_000;

/** Runs the waiting backfills. Several workers take turns, and a batch is never run by two of them. */
export const runBackfills = (backfills: readonly Backfill[]) =>
  job({
    name: "run-backfills",
    payload: z.object({}),
    every: "* * * * *",
    inSteps: true,
    run: async ({ db }) => {
      const endsAt = performance.now() + runMs;
      const errors: unknown[] = [];
      for (const backfill of await waitingOf(db, backfills))
        try {
          while (performance.now() < endsAt) {
            const batch = await runBatch(db, backfill);
            if (!batch || batch.done) break;
          }
        } catch (error) {
          // The others don't wait for one that fails.
          errors.push(error);
        }
      if (errors.length > 0) throw errors[0];
    },
  });
