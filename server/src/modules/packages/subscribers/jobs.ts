import { z } from "zod";
import { backfill } from "#platform/backfills/backfill.ts";
import type { Db } from "#platform/db/db.ts";
import { job } from "#platform/jobs/queues.ts";
import {
  findNextPackages,
  recountSubscribers,
  settledPerStep,
  settleSubscribers,
} from "./subscriberQueries.ts";

/** Counts the subscribers of the packages of earlier versions. */
export const countSubscribers = backfill({
  name: "count-subscribers",
  // A package can have hundreds of thousands of subscribers.
  batchSize: 1,
  run: async (db: Db, after, limit) => {
    const packages = await findNextPackages(db, after, limit);
    for (const { id } of packages) await recountSubscribers(db, id, new Date());
    return {
      last: packages.at(-1)?.id ?? null,
      rows: packages.length,
      done: packages.length < limit,
    };
  },
});

/** Finds what a race of two grants of the same customer can leave behind. */
export const recountAllSubscribers = job({
  name: "recount-subscribers",
  payload: z.object({}),
  every: "47 3 * * *",
  inSteps: true,
  run: async ({ db, now, step }) => {
    for (const { id } of await findNextPackages(db, null, null))
      await step((within) => recountSubscribers(within, id, now));
  },
});

export const settleSubscriberChanges = job({
  name: "settle-subscriber-changes",
  payload: z.object({}),
  every: "*/5 * * * *",
  inSteps: true,
  run: async ({ now, step }) => {
    while ((await step((db) => settleSubscribers(db, now))) === settledPerStep);
  },
});
