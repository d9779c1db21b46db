import { setTimeout } from "node:timers/promises";
import type { Db } from "../db/db.ts";
import { MigrationError } from "../db/migrations/migrationError.ts";
import { type Backfill, runBatch } from "./backfill.ts";
import { findWaitingBackfills } from "./queries.ts";

const number = new Intl.NumberFormat("en").format;
const tellEveryMs = 5000;
const pauseMs = 200;

export const describeWaiting = ({ name, rowsDone }: { name: string; rowsDone: number }) =>
  `${name} (${number(rowsDone)} rows converted so far)`;

const rowsOf = async (db: Db, name: string) =>
  (await findWaitingBackfills(db)).find((one) => one.name === name)?.rowsDone ?? null;

const finish = async (db: Db, backfill: Backfill, tell: (line: string) => void) => {
  const { name } = backfill;
  let toldAt = performance.now();
  for (;;) {
    const batch = await runBatch(db, backfill);
    if (batch?.done) return tell(`Backfill ${name} is finished.`);
    const rowsDone = await rowsOf(db, name);
    if (rowsDone === null) return tell(`Backfill ${name} was finished by a worker.`);
    // A worker is converting a batch.
    if (!batch) await setTimeout(pauseMs);
    if (performance.now() - toldAt < tellEveryMs) continue;
    toldAt = performance.now();
    tell(`Backfill ${describeWaiting({ name, rowsDone })}`);
  }
};

/** Runs all waiting backfills to their end, also next to workers that run them. */
export const finishBackfills = async (
  db: Db,
  backfills: readonly Backfill[],
  tell: (line: string) => void,
) => {
  for (const { name, migration } of await findWaitingBackfills(db)) {
    const backfill = backfills.find((one) => one.name === name);
    if (!backfill)
      throw new MigrationError(
        `This version doesn't have the backfill ${name} of migration ${migration}. Run \`purser migrate --backfills\` of the version that added it.`,
      );
    await finish(db, backfill, tell);
  }
};
