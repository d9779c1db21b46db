import { z } from "zod";
import { job } from "#platform/jobs/queues.ts";
import type { FindZone } from "#platform/settings.ts";
import { forgetMarks } from "./attention/attention.ts";
import { updateFigures, workerPortion } from "./update.ts";

/** Adds up what is new. One worker at a time does, because the others would change the same rows. */
export const updateReports = (findZone: FindZone) =>
  job({
    name: "update-reports",
    payload: z.object({}),
    every: "* * * * *",
    inSteps: true,
    run: async ({ db, step }) => {
      const zone = await findZone(db);
      while (await step((within) => updateFigures(within, zone, workerPortion)));
    },
  });

/** Marks of rows that no longer need attention. */
export const forgetAttention = job({
  name: "forget-attention",
  payload: z.object({}),
  every: "17 * * * *",
  run: ({ db, now }) => forgetMarks(db, now),
});
