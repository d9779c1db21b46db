import type pg from "pg";
import { cancelStatement } from "./cancel.ts";
import { type Db, dbOn } from "./db.ts";

type Caller = {
  /** Waits for the caller's turn. The returned function ends it. */
  enter: () => Promise<() => void>;
  /** Cancels what runs, because no one waits for it anymore. */
  signal?: AbortSignal | undefined;
};

const againMs = 200;

type Connecting = Pick<pg.Pool, "connect">;

/** A connection that its caller may use now. It is canceled with the signal and then not used again. */
const borrow = async (pool: Connecting, { enter, signal }: Caller) => {
  const leave = await enter();
  const client = await pool.connect().catch((error) => {
    leave();
    throw error;
  });
  // Repeated, because a request that arrives before the statement has no effect.
  let canceling: NodeJS.Timeout | null = null;
  const cancel = () => {
    cancelStatement(client);
    canceling = setInterval(() => cancelStatement(client), againMs);
  };
  const { release } = client;
  client.release = (error) => {
    signal?.removeEventListener("abort", cancel);
    if (canceling) clearInterval(canceling);
    release(canceling !== null || error);
    leave();
  };
  if (signal?.aborted) {
    client.release();
    throw signal.reason;
  }
  signal?.addEventListener("abort", cancel, { once: true });
  return client;
};

/** The part of a pool that one request may use. */
export const poolForCall = (pool: pg.Pool, caller: Caller) => ({
  options: pool.options,
  connect: () => borrow(pool, caller),
  query: async (text: string, values: unknown[]) => {
    const client = await borrow(pool, caller);
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  },
  // Belongs to the process.
  end: async () => undefined,
});

/** A handle for one request. */
export const dbForCall = (pool: pg.Pool, caller: Caller): Db => dbOn(poolForCall(pool, caller));
