import { randomBytes } from "node:crypto";
import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import { databaseServer } from "../../../server/src/platform/db/databaseServer.testing.ts";
import { connectAsOwner } from "../../../server/src/platform/db/db.ts";
import { runPurser } from "./processes.ts";
import type { Settings } from "./product.ts";

/** A database of this run's own. `migrate` creates it; it is gone when this is disposed of. */
export const makeDatabase = () => {
  const name = `purser_bench_${randomBytes(6).toString("hex")}`;
  const url = new URL(databaseServer);
  url.pathname = `/${name}`;
  const { pool } = connectAsOwner(url.href);
  return {
    url: url.href,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      const admin = connectAsOwner(databaseServer);
      await admin.pool.query(`drop database if exists ${name} with (force)`);
      await admin.pool.end();
    },
  };
};
export type BenchDatabase = ReturnType<typeof makeDatabase>;

type Filling = {
  /** What the seeder makes, as its options, and in words. */
  seed: { options: string[]; words: string };
  settings: Settings;
  signal: AbortSignal;
};

export const fillDatabase = async (
  { query }: BenchDatabase,
  { seed, settings, signal }: Filling,
) => {
  const start = performance.now();
  await runPurser(["migrate"], settings, signal);
  console.log(`Making ${seed.words} …`);
  await runPurser(["seed", ...seed.options], settings, signal);
  const seeded = performance.now();
  // What autovacuum would do in its own time, done now so that it does not run into the measurement.
  await query("vacuum (analyze)");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `Migrated and seeded in ${seconds(seeded - start)}, vacuumed in ${seconds(performance.now() - seeded)}.`,
  );
};

/** An owner with a session, made directly: how somebody signs in is not measured. */
export const signIn = async ({ query }: BenchDatabase) => {
  const token = newToken();
  await query(
    `with person as (
       insert into users (email, name, role, status)
       values ('bench@example.com', 'Bench', 'owner', 'active') returning id
     )
     insert into sessions (token_hash, user_id, created_at, last_seen_at, address, device)
     select $1, id, now(), now(), '127.0.0.1', 'bench' from person`,
    [hashToken(token)],
  );
  return `__Host-purser=${token}`;
};
