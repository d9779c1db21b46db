import { z } from "zod";
import { type Batch, backfill } from "#platform/backfills/backfill.ts";
import type { Db } from "#platform/db/db.ts";
import { job } from "#platform/jobs/queues.ts";
import { splitCustomers } from "./splitCustomers.ts";
import { findNextUsers } from "./splitQueries.ts";

const usersPerBatch = 150;

const splitNext = async (db: Db, after: string | null, limit: number) => {
  const users = await findNextUsers(db, after, limit);
  const rows = await splitCustomers(db, [...new Set(users.map(({ customer }) => customer))]);
  return { last: users.at(-1)?.id ?? null, rows, done: users.length < limit };
};

/** Splits the transactions of earlier versions, customer by customer. */
export const splitTransactions = backfill({
  name: "split-transactions",
  batchSize: usersPerBatch,
  run: splitNext,
});

/** Splits what instances of the previous version recorded after the backfill had passed their customers. */
export const splitLateTransactions = job({
  name: "split-late-transactions",
  payload: z.object({}),
  every: "*/10 * * * *",
  inSteps: true,
  run: async ({ step }) => {
    let after: string | null = null;
    for (let isDone = false; !isDone; ) {
      const from: string | null = after;
      const batch: Batch = await step((db) => splitNext(db, from, usersPerBatch));
      after = batch.last ?? after;
      isDone = batch.done;
    }
  },
});
