import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { transact } from "../audit/context.ts";
import type { Db } from "../db/db.ts";
import { findWaitingBackfills, lockBackfill, saveProgress } from "./queries.ts";

export type Batch = {
  /** The key of the last converted row, with which the next batch starts. Null if there was no row. */
  last: string | null;
  rows: number;
  /** Whether there are no rows after this batch. */
  done: boolean;
};

/** A conversion of existing rows, which the migration with the directive `-- backfill: <name>` starts. */
export type Backfill = {
  name: string;
  /** Small enough for a transaction of less than a second, because other writers wait for its rows. */
  batchSize: number;
  /**
   * Converts the next rows in the order of their key, in a transaction that also stores the progress. It runs with
   * the role of the application, while other processes write to the same tables.
   */
  run(db: Db, after: string | null, limit: number): Promise<Batch>;
};

export const backfill = (definition: Backfill) => definition;

/** The backfills that this version has to run. A waiting one that it doesn't know belongs to another version. */
export const waitingOf = async (db: Db, backfills: readonly Backfill[]) => {
  const names = (await findWaitingBackfills(db)).map(({ name }) => name);
  return backfills.filter(({ name }) => names.includes(name));
};

const runOnce = async (db: Db, { name, batchSize, run }: Backfill): Promise<Batch | null> => {
  const actor = { kind: "system", id: null, name: `backfill ${name}` } as const;
  const context = { actor, address: null, requestId: null, reason: null };
  // Its changes aren't announced: every open page would refresh after every batch.
  const { result } = await transact(db, context, async (transaction) => {
    const place = await lockBackfill(transaction, name);
    if (!place) return null;
    const batch = await run(transaction, place.lastKey, batchSize);
    if (!batch.done && (batch.last ?? place.lastKey) === place.lastKey)
      throw new Error(`The backfill ${name} made no progress after ${place.lastKey}.`);
    await saveProgress(transaction, name, batch);
    return batch;
  });
  return result;
};

// A deadlock, or rows that another session has locked for too long.
const isTransient = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(40P01|40001|55P03)$/.test(error.code ?? "");

const attemptsMax = 5;

/**
 * Converts the next batch. Returns null if the backfill is finished, or if another worker is converting a batch. After
 * a crash neither the rows nor the progress are stored, so the next call repeats the same batch.
 */
export const runBatch = async (db: Db, backfill: Backfill) => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await runOnce(db, backfill);
    } catch (error) {
      if (attempt >= attemptsMax || !isTransient(error)) throw error;
      await setTimeout(attempt * 200);
    }
};
