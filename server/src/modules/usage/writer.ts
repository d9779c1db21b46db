import pg from "pg";
import type { Db } from "#platform/db/db.ts";
import { countUsage, type Entry, type Outcome } from "./queries.ts";

type Waiting = {
  entries: readonly Entry[];
  now: Date;
  resolve: (outcomes: Outcome[]) => void;
  reject: (error: unknown) => void;
};

const entriesAtOnce = 1000;

/** While one statement waits for the disk, another one counts. More would only wait for the same counters. */
const lanesMax = 2;

/** Takes the oldest requests that fit into one statement. */
const takeBatch = (queue: Waiting[]) => {
  let entries = 0;
  let taken = 0;
  for (const { entries: own } of queue) {
    if (taken > 0 && entries + own.length > entriesAtOnce) break;
    entries += own.length;
    taken += 1;
  }
  return queue.splice(0, taken);
};

/** Something about the entries themselves, such as the same event on two instances at once. */
const isConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(23|40)/.test(error.code ?? "");

/**
 * Writes usage of concurrent requests with one statement, so that a commit of many costs about as much as of one. A
 * request is answered after its entries are stored.
 */
export const openUsageWriter = (db: Db) => {
  const queue: Waiting[] = [];
  let lanes = 0;

  const write = async (batch: readonly Waiting[]) => {
    const entries = batch.flatMap((waiting) => waiting.entries);
    const latest = batch.reduce(
      (now, waiting) => (waiting.now > now ? waiting.now : now),
      new Date(0),
    );
    const outcomes = await countUsage(db, entries, latest);
    let place = 0;
    for (const { entries: own, resolve } of batch) {
      resolve(outcomes.slice(place, place + own.length));
      place += own.length;
    }
  };

  /** Once more and alone, so that a conflict fails only the request that has it. */
  const writeAlone = async (waiting: Waiting) => {
    await write([waiting]).catch((error: unknown) =>
      isConflict(error) ? write([waiting]).catch(waiting.reject) : waiting.reject(error),
    );
  };

  const writeBatch = async (batch: readonly Waiting[]) => {
    try {
      await write(batch);
    } catch (error) {
      if (isConflict(error)) for (const waiting of batch) await writeAlone(waiting);
      else for (const { reject } of batch) reject(error);
    }
  };

  const empty = async () => {
    lanes += 1;
    while (queue.length > 0) await writeBatch(takeBatch(queue));
    lanes -= 1;
  };

  return (entries: readonly Entry[], now: Date) =>
    new Promise<Outcome[]>((resolve, reject) => {
      queue.push({ entries, now, resolve, reject });
      if (lanes < lanesMax) void empty();
    });
};
export type WriteUsage = ReturnType<typeof openUsageWriter>;
