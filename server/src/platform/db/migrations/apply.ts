import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { type Db, run } from "../db.ts";
import { describeBlocker, watchBlockers } from "./blockers.ts";
import { directivesOf, type Migration, splitStatements } from "./files.ts";
import { MigrationError } from "./migrationError.ts";

/** How long a migration waits for locks. While it waits, other sessions wait behind it. */
export type Patience = {
  lockTimeoutMs: number;
  attempts: number;
  firstPauseMs: number;
  pauseMaxMs: number;
  /** For statements with `concurrently`, behind which only other changes of the same table wait. */
  concurrentTimeoutMs: number;
};

/** About two minutes for a migration that can't get a lock. */
export const defaultPatience: Patience = {
  lockTimeoutMs: 3000,
  attempts: 10,
  firstPauseMs: 500,
  pauseMaxMs: 15_000,
  concurrentTimeoutMs: 600_000,
};

export type Session = {
  /** The connection that migrates. */
  own: Db;
  pid: number;
  /** Other connections, which see what the first one waits for. */
  db: Db;
  patience: Patience;
  tell: (line: string) => void;
};

const lockTimeout = "55P03";
const deadlock = "40P01";

const isBlocked = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && (error.code === lockTimeout || error.code === deadlock);

const refusal = (name: string, blockers: string) =>
  new MigrationError(
    blockers
      ? `Migration ${name} is blocked by other sessions:\n${blockers}\nRun \`purser migrate\` again when they have finished, or end one with \`select pg_terminate_backend(pid)\`.`
      : `Migration ${name} is blocked by another session. Run \`purser migrate\` again.`,
  );

/** Repeats work that another session blocks, and gives up with a message that names the session. */
const retry = async (
  { db, pid, patience, tell }: Session,
  { name, timeoutsMax }: { name: string; timeoutsMax: number },
  work: () => Promise<void>,
) => {
  let blockers = "";
  let pids = "";
  const watched = { db, pid, everyMs: patience.lockTimeoutMs / 3 };
  let pauseMs = patience.firstPauseMs;
  for (let attempt = 1; ; attempt += 1)
    try {
      return await watchBlockers(
        watched,
        (found) => {
          blockers = found.map((one) => `- ${describeBlocker(one)}`).join("\n");
          const seen = found.map((one) => one.pid).join();
          if (seen !== pids) tell(`Migration ${name} is waiting for:\n${blockers}`);
          pids = seen;
        },
        work,
      );
    } catch (error) {
      if (!isBlocked(error)) throw error;
      const attemptsMax = error.code === deadlock ? patience.attempts : timeoutsMax;
      if (attempt >= attemptsMax) throw refusal(name, blockers);
      // Sessions that were waiting behind the migration work during the pause.
      await setTimeout(pauseMs);
      pauseMs = Math.min(pauseMs * 2, patience.pauseMaxMs);
    }
};

/** Marks a migration as applied. On a new database a backfill is finished, because there are no rows yet. */
const record = async (db: Db, { name, text }: Migration, isNew: boolean) => {
  await run(db, "insert into kysely_migration (name, timestamp) values ($1, $2)", [
    name,
    new Date().toISOString(),
  ]);
  for (const backfill of directivesOf(text).starts)
    await run(
      db,
      "insert into backfills (name, migration, finished_at) values ($1, $2, case when $3 then now() end)",
      [backfill, name, isNew],
    );
};

const applyInTransaction = ({ own, patience }: Session, migration: Migration, isNew: boolean) =>
  own.transaction().execute(async (transaction) => {
    await run(transaction, `set local lock_timeout = ${patience.lockTimeoutMs}`);
    await sql.raw(migration.text).execute(transaction);
    await record(transaction, migration, isNew);
  });

const builtIndex =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("[^"]+"|[\w.]+)\s/i;

/** A failed build leaves an index that PostgreSQL maintains but never uses, and that `if not exists` finds. */
const dropInvalidIndex = async (db: Db, index: string) => {
  const text = "select from pg_index where indexrelid = to_regclass($1) and not indisvalid";
  const invalid = await run(db, text, [index]);
  if (invalid.length > 0) await run(db, `drop index concurrently if exists ${index}`);
};

const applyStatement = async (session: Session, name: string, text: string) => {
  const { own, patience } = session;
  const isConcurrent = /^\w+(\s+unique)?\s+index\s+concurrently\s/i.test(text);
  const timeoutMs = isConcurrent ? patience.concurrentTimeoutMs : patience.lockTimeoutMs;
  // Starting a build again after a long wait would only repeat it.
  const timeoutsMax = isConcurrent ? 1 : patience.attempts;
  const index = builtIndex.exec(text)?.[1];
  await run(own, `set lock_timeout = ${timeoutMs}`);
  await retry(session, { name, timeoutsMax }, async () => {
    if (index) await dropInvalidIndex(own, index);
    await run(own, text);
  });
};

export const applyMigration = async (session: Session, migration: Migration, isNew: boolean) => {
  const { name, text } = migration;
  try {
    if (directivesOf(text).isTransactional)
      return await retry(session, { name, timeoutsMax: session.patience.attempts }, () =>
        applyInTransaction(session, migration, isNew),
      );
    for (const part of splitStatements(text)) await applyStatement(session, name, part);
    await session.own.transaction().execute((transaction) => record(transaction, migration, isNew));
  } catch (error) {
    if (error instanceof pg.DatabaseError) error.message = `Migration ${name}: ${error.message}`;
    throw error;
  }
};
