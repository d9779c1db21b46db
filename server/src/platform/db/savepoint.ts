import { Problem } from "../http/problem.ts";
import { type Db, run } from "./db.ts";

/**
 * Returns the work's result, or its problem after undoing what it changed. The transaction around it continues.
 * The savepoint is released in both cases, so that calls can be nested.
 */
export const inSavepoint = async <T>(db: Db, work: () => Promise<T>): Promise<T | Problem> => {
  await run(db, "savepoint nested");
  try {
    const result = await work();
    await run(db, "release savepoint nested");
    return result;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await run(db, "rollback to savepoint nested");
    await run(db, "release savepoint nested");
    return error;
  }
};
