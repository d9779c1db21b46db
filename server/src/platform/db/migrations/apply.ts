import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { type Db, run } from "../db.ts";
import { describeBlocker, watchBlockers } from "./blockers.ts";
import { directivesOf, type Migration, splitStatements } from "./files.ts";
import { MigrationError } from "./migrationError.ts";

/** How long a migration waits for locks. While it waits, other sessions wait behind it. */
export type Patience = {
  /** Less than PostgreSQL's deadlock_timeout of a second, so that in a deadlock the migration gives way first. */
  quickTimeoutMs: number;
  /** Before those with the longer timeout, which a table with slow reads needs. */
  quickAttempts: number;
  lockTimeoutMs: number;
  attempts: number;
  firstPauseMs: number;
  pauseMaxMs: number;
  /** For statements with `concurrently`, behind which only other changes of the same table wait. */
  concurrentTimeoutMs: number;
};

/** About two minutes for a migration that can't get a lock. */
export const defaultPatience: Patience = {
  quickTimeoutMs: 400,
  quickAttempts: 10,
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

const attemptsOf = ({ quickAttempts, attempts }: Patience) => quickAttempts + attempts;

const timeoutOf = ({ quickTimeoutMs, quickAttempts, lockTimeoutMs }: Patience, attempt: number) =>
  attempt <= quickAttempts ? Math.min(quickTimeoutMs, lockTimeoutMs) : lockTimeoutMs;

const pauseAfter = ({ quickAttempts, firstPauseMs, pauseMaxMs }: Patience, attempt: number) =>
  Math.min(firstPauseMs * 2 ** Math.max(0, attempt - quickAttempts - 1), pauseMaxMs);

/** Repeats work that another session blocks, and gives up with a message that names the session. */
const retry = async (
  { db, pid, patience, tell }: Session,
  { name, timeoutsMax }: { name: string; timeoutsMax: number },
  work: (lockTimeoutMs: number) => Promise<void>,
) => {
  let blockers = "";
  let pids = "";
  const watched = { db, pid, everyMs: patience.lockTimeoutMs / 3 };
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
        () => work(timeoutOf(patience, attempt)),
      );
    } catch (error) {
      if (!isBlocked(error)) throw error;
      const attemptsMax = error.code === deadlock ? attemptsOf(patience) : timeoutsMax;
      if (attempt >= attemptsMax) throw refusal(name, blockers);
      // Sessions that were waiting behind the migration work during the pause.
      await setTimeout(pauseAfter(patience, attempt));
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

type Applied = { migration: Migration; isNew: boolean; lockTimeoutMs: number };

const applyInTransaction = ({ own }: Session, { migration, isNew, lockTimeoutMs }: Applied) =>
  own.transaction().execute(async (transaction) => {
    await run(transaction, `set local lock_timeout = ${lockTimeoutMs}`);
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
  // Starting a build again after a long wait would only repeat it.
  const timeoutsMax = isConcurrent ? 1 : attemptsOf(patience);
  const index = builtIndex.exec(text)?.[1];
  await retry(session, { name, timeoutsMax }, async (lockTimeoutMs) => {
    const timeoutMs = isConcurrent ? patience.concurrentTimeoutMs : lockTimeoutMs;
    await run(own, `set lock_timeout = ${timeoutMs}`);
    if (index) await dropInvalidIndex(own, index);
    await run(own, text);
  });
};

export const applyMigration = async (session: Session, migration: Migration, isNew: boolean) => {
  const { name, text } = migration;
  try {
    if (directivesOf(text).isTransactional)
      return await retry(
        session,
        { name, timeoutsMax: attemptsOf(session.patience) },
        (lockTimeoutMs) => applyInTransaction(session, { migration, isNew, lockTimeoutMs }),
      );
    for (const part of splitStatements(text)) await applyStatement(session, name, part);
    await session.own.transaction().execute((transaction) => record(transaction, migration, isNew));
  } catch (error) {
    if (error instanceof pg.DatabaseError) error.message = `Migration ${name}: ${error.message}`;
    throw error;
  }
};
