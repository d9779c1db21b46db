import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import pg from "pg";
import { databaseServer } from "./platform/db/databaseServer.testing.ts";

/** The times of both workloads on two idle cores, the reference machine for all timeouts. */
const reference = { hashingMs: 200, queryingMs: 70 };

const chunk = Buffer.alloc(1024 * 1024);

/** A fixed amount of work for one processor. It yields often, as a server does. */
const hash = async () => {
  for (let chunks = 0; chunks < 100; chunks += 1) {
    createHash("sha512").update(chunk).digest();
    await setImmediate();
  }
};

/** A fixed amount of work for PostgreSQL, in many round trips. */
const query = async () => {
  const client = new pg.Client({ connectionString: databaseServer });
  await client.connect();
  try {
    for (let trips = 0; trips < 40; trips += 1)
      await client.query("select sum(n) from generate_series(1, 5000) n");
  } finally {
    await client.end();
  }
};

const elapsed = async (work: () => Promise<void>) => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

type Took = Record<"hashingMs" | "queryingMs", number>;

/** The worse of both ratios, but at least 1, so that a fast machine doesn't shorten timeouts. */
export const slownessOf = ({ hashingMs, queryingMs }: Took) =>
  Math.max(1, hashingMs / reference.hashingMs, queryingMs / reference.queryingMs);

/**
 * How many times slower this machine is right now than the reference machine. Timeouts are multiplied by
 * it, so that a busy machine doesn't fail tests.
 */
export const measureSlowness = async () =>
  slownessOf({ hashingMs: await elapsed(hash), queryingMs: await elapsed(query) });
