import { z } from "zod";
import { job } from "#platform/jobs/queues.ts";
import { forgetOldChecks } from "./retention.ts";
import { updateRisen } from "./risen.ts";

export const forgetChecks = job({
  name: "forget-checks",
  payload: z.object({}),
  every: "41 * * * *",
  inSteps: true,
  run: ({ now, step }) => forgetOldChecks((work) => step(work), now),
});

/** Finds apps of which a much larger part of the checks is denied than before, for Home. */
export const watchDenials = job({
  name: "watch-denials",
  payload: z.object({}),
  every: "3 * * * *",
  run: ({ db, now }) => updateRisen(db, now),
});
