import { Problem } from "../http/problem.ts";
import { type Db, run } from "./db.ts";

type Expected<E> = new (...given: never[]) => E;

/**
 * Returns the work's result, or its problem or other expected error after undoing what it changed. The transaction
 * around it continues. The savepoint is released in both cases, so that calls can be nested.
 */
export const inSavepoint = async <T, E extends Error = Problem>(
  db: Db,
  work: () => Promise<T>,
  expected: Expected<E> = Problem as never,
): Promise<T | E> => {
  await run(db, "savepoint nested");
  try {
    const result = await work();
    await run(db, "release savepoint nested");
    return result;
  } catch (error) {
    if (!(error instanceof expected)) throw error;
    await run(db, "rollback to savepoint nested");
    await run(db, "release savepoint nested");
    return error;
  }
};
