import { randomBytes } from "node:crypto";
import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import { databaseServer } from "../../../server/src/platform/db/databaseServer.testing.ts";
import { connectAsOwner } from "../../../server/src/platform/db/db.ts";
import { runPurser } from "./processes.ts";
import type { Settings } from "./product.ts";

const newName = () => `purser_bench_${randomBytes(6).toString("hex")}`;

/** A database for this run, which is new without a name. `migrate` creates it, and disposing drops it unless it is kept. */
export const makeDatabase = ({ name = newName(), isKept = false } = {}) => {
  const url = new URL(databaseServer);
  url.pathname = `/${name}`;
  const { pool } = connectAsOwner(url.href);
  return {
    url: url.href,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      if (isKept) return console.log(`The database ${name} is kept.`);
      const admin = connectAsOwner(databaseServer);
      await admin.pool.query(`drop database if exists ${name} with (force)`);
      await admin.pool.end();
    },
  };
};
export type BenchDatabase = ReturnType<typeof makeDatabase>;

type FillOptions = {
  /** The options of the seeder, and a description for the output. */
  seed: { options: string[]; description: string };
  settings: Settings;
  signal: AbortSignal;
};

export const fillDatabase = async (
  { query }: BenchDatabase,
  { seed, settings, signal }: FillOptions,
) => {
  const start = performance.now();
  await runPurser(["migrate"], settings, signal);
  console.log(`Creating ${seed.description} …`);
  await runPurser(["seed", ...seed.options], settings, signal);
  const seeded = performance.now();
  // Vacuum now, so that autovacuum doesn't disturb the measurement.
  await query("vacuum (analyze)");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `Migrated and seeded in ${seconds(seeded - start)}, vacuumed in ${seconds(performance.now() - seeded)}.`,
  );
};

/** Creates an owner with a session directly, because signing in isn't measured. */
export const signIn = async ({ query }: BenchDatabase) => {
  const token = newToken();
  await query(
    `with owner as (
       insert into users (email, name, role, status)
       values ($2, 'Bench', 'owner', 'active') returning id
     )
     insert into sessions
       (token_hash, user_id, created_at, last_seen_at, address, device, second_factor, proven_at)
     select $1, id, now(), now(), '127.0.0.1', 'bench', true, now() + interval '12 hours' from owner`,
    // The database may have been used before.
    [hashToken(token), `bench-${randomBytes(6).toString("hex")}@example.com`],
  );
  return `__Host-purser=${token}`;
};
