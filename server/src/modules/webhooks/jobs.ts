import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import { defaultRetentionIn, findRetention } from "#platform/settings.ts";
import {
  cleanupBatch,
  dropOldDeliveries,
  dropOldEvents,
  removeDeletedDeliveries,
  removeDeletedEndpoints,
  removeIdleQueues,
} from "./cleanupQueries.ts";

type Kept = Parameters<typeof defaultRetentionIn>[0];

/** Drops old months of deliveries and events, and removes everything that belongs to deleted endpoints. */
export const forgetWebhooks = (config: Kept): Job =>
  job({
    name: "forget-webhooks",
    payload: z.object({}),
    every: "41 * * * *",
    inSteps: true,
    run: async ({ now, step }) => {
      const kept = await step((db) => findRetention(db, defaultRetentionIn(config)));
      const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
      const removals = [
        removeDeletedDeliveries,
        (db: Db) => dropOldDeliveries(db, daysAgo(kept.webhookDeliveryDays)),
        (db: Db) => dropOldEvents(db, daysAgo(kept.webhookEventDays)),
      ];
      for (const remove of removals) while ((await step(remove)) === cleanupBatch);
      await step(removeIdleQueues);
      await step(removeDeletedEndpoints);
    },
  });
