import type pg from "pg";
import { cancelStatement } from "./cancel.ts";
import type { Statement } from "./statement.ts";

const rowsPerBatch = 1000;
/** The first rows of a large sort take time, and so does a slow reader. */
const batchMs = 60_000;
const idleMs = 60_000;
/** An old snapshot prevents PostgreSQL from vacuuming. */
const wholeMs = 15 * 60_000;

type Asked<Row> = { statement: Statement<Row>; values: readonly unknown[] };

/**
 * The rows of one statement as a snapshot of one moment, in batches, on its own connection until it is closed.
 * `onLost` is called if that connection ends between two batches.
 */
export const openSnapshot = async <Row extends object>(
  pool: Pick<pg.Pool, "connect">,
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
    // The timeout of the pool is for short statements.
    const limited = { text: asked, values: [...given], query_timeout: batchMs + 5000 };
    const { rows } = await client.query<Row>(limited);
    busy = false;
    return rows;
  };

  /** A connection in the middle of a statement can't be reused. */
  const close = async () => {
    if (closed) return;
    closed = true;
    if (busy) cancelStatement(client);
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
    /** The next rows, or none at the end. */
    next: () => ask(`fetch ${rowsPerBatch} from snapshot`),
    close,
  };
};
