import pg from "pg";
import { type Db, first } from "./db.ts";
import { statement } from "./statement.ts";

const createPartitionsSql = statement(
  "db.createPartitions",
  "select create_partitions() as partitions",
).narrow<{ partitions: number }>();

/** Creates the partitions of this month and the next three, and returns how many were missing. */
export const createPartitions = async (db: Db) =>
  (await first(db, createPartitionsSql))?.partitions ?? 0;

const lockTimeout = "55P03";

/** For a database that was restored, or not used for long. If requests are using it, the job does it soon. */
export const catchUpPartitions = async (db: Db) => {
  try {
    await createPartitions(db);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === lockTimeout)) throw error;
  }
};
