import pg from "pg";
import { type Db, first } from "./db.ts";
import { statement } from "./statement.ts";

const createPartitionsSql = statement(
  "db.createPartitions",
  "select create_partitions() as partitions",
).narrow<{ partitions: number }>();

/**
 * Creates the next partitions of one table, and returns how many were missing. Called until that is 0, each time in a
 * transaction of its own, so that no one waits for several tables.
 */
export const createPartitions = async (db: Db) =>
  (await first(db, createPartitionsSql))?.partitions ?? 0;

const lockTimeout = "55P03";

/** For a database that was restored, or not used for long. If requests are using it, the job does it soon. */
export const catchUpPartitions = async (db: Db) => {
  try {
    while ((await createPartitions(db)) > 0);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === lockTimeout)) throw error;
  }
};
