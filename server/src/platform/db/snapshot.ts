import type pg from "pg";
import type { Statement } from "./statement.ts";

const rowsPerBatch = 1000;
/** Finding the first rows of a large sort takes its time; so does somebody who reads slowly. */
const batchMs = 60_000;
const idleMs = 60_000;
/** An old snapshot keeps PostgreSQL from tidying up after everybody else. */
const wholeMs = 15 * 60_000;

type Asked<Row> = { statement: Statement<Row>; values: readonly unknown[] };

/**
 * The rows of one statement as they all were at one moment, a batch at a time, on a connection of its own
 * until it is closed. `onLost` is told when that connection ends by itself between two batches.
 */
export const openSnapshot = async <Row extends object>(
  pool: pg.Pool,
  { statement, values }: Asked<Row>,
  onLost: (error: Error) => void,
) => {
  const client = await pool.connect();
  client.on("error", onLost);
  const endsAt = performance.now() + wholeMs;
  let busy = false;
  let closed = false;

  const ask = async (asked: string, given: readonly unknown[] = []) => {
    if (performance.now() > endsAt) throw new Error("Reading all rows took too long.");
    busy = true;
    // The pool's own limit is for short answers.
    const limited = { text: asked, values: [...given], query_timeout: batchMs + 5000 };
    const { rows } = await client.query<Row>(limited);
    busy = false;
    return rows;
  };

  /** A connection in the middle of a statement is of no use to anybody else. */
  const close = async () => {
    if (closed) return;
    closed = true;
    const ended = busy
      ? false
      : await client.query("rollback").then(
          () => true,
          () => false,
        );
    client.removeListener("error", onLost);
    client.release(!ended);
  };

  const begin = async () => {
    await ask(`begin isolation level repeatable read read only;
      set local statement_timeout = ${batchMs};
      set local idle_in_transaction_session_timeout = ${idleMs}`);
    await ask(`declare snapshot no scroll cursor for ${statement.text}`, values);
  };
  await begin().catch(async (error) => {
    await close();
    throw error;
  });

  return {
    /** The next rows; none once all were given. */
    next: () => ask(`fetch ${rowsPerBatch} from snapshot`),
    close,
  };
};
