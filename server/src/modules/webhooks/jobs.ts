import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import {
  cleanupBatch,
  dropOldDeliveries,
  dropOldEvents,
  removeDeletedDeliveries,
  removeDeletedEndpoints,
  removeIdleQueues,
} from "./cleanupQueries.ts";

type Kept = { WEBHOOK_DELIVERY_DAYS: number; WEBHOOK_EVENT_DAYS: number };

/** Drops old months of deliveries and events, and removes everything that belongs to deleted endpoints. */
export const forgetWebhooks = ({ WEBHOOK_DELIVERY_DAYS, WEBHOOK_EVENT_DAYS }: Kept): Job =>
  job({
    name: "forget-webhooks",
    payload: z.object({}),
    every: "41 * * * *",
    inSteps: true,
    run: async ({ now, step }) => {
      const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
      const removals = [
        removeDeletedDeliveries,
        (db: Db) => dropOldDeliveries(db, daysAgo(WEBHOOK_DELIVERY_DAYS)),
        (db: Db) => dropOldEvents(db, daysAgo(WEBHOOK_EVENT_DAYS)),
      ];
      for (const remove of removals) while ((await step(remove)) === cleanupBatch);
      await step(removeIdleQueues);
      await step(removeDeletedEndpoints);
    },
  });
