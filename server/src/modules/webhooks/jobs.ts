import { z } from "zod";
import { job } from "#platform/jobs/queues.ts";
import {
  cleanupBatch,
  removeDeletedEndpoints,
  removeIdleQueues,
  removeOldDeliveries,
  removeOldEvents,
} from "./cleanupQueries.ts";

const keptDays = 30;

/** Removes old deliveries and events, and everything that belongs to deleted endpoints. */
export const forgetWebhooks = job({
  name: "forget-webhooks",
  payload: z.object({}),
  every: "41 * * * *",
  inSteps: true,
  run: async ({ now, step }) => {
    const before = new Date(now.getTime() - keptDays * 86_400_000);
    for (const remove of [removeOldDeliveries, removeOldEvents])
      while ((await step((db) => remove(db, before))) === cleanupBatch);
    await step(removeIdleQueues);
    await step(removeDeletedEndpoints);
  },
});
