import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { findWaitingBackfills } from "../backfills/queries.ts";
import { installQueues } from "../jobs/queues.ts";
import { connectAsOwner, type Db, first, run } from "./db.ts";
import {
  applyMigration,
  defaultPatience,
  type Patience,
  type Session,
} from "./migrations/apply.ts";
import {
  directivesOf,
  type Migration,
  migrationNames,
  readMigrations,
} from "./migrations/files.ts";
import { BackfillRequired, MigrationError } from "./migrations/migrationError.ts";
import { catchUpPartitions } from "./partitions.ts";
import { statement } from "./statement.ts";

// If two processes create the database at once, the second gets one of these two errors.
const unlessItExists = (error: unknown) => {
  if (!(error instanceof pg.DatabaseError && /^(42P04|23505)$/.test(error.code ?? ""))) throw error;
};

/** Runs a statement about this database while connected to another one. */
const administer = async (url: string, statementFor: (name: string) => string) => {
  const server = new URL(url);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = "/postgres";
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  try {
    await admin.query(statementFor(pg.escapeIdentifier(name)));
  } finally {
    await admin.end();
  }
};

/** Creates the database if it is missing. For a new server: the login may be allowed to. */
export const ensureDatabase = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return { isNew: false };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === "3D000")) throw error;
    await administer(url, (name) => `create database ${name}`).catch(unlessItExists);
    return { isNew: true };
  } finally {
    await client.end().catch(() => undefined);
  }
};

export const dropDatabase = (url: string) => administer(url, (name) => `drop database ${name}`);

const appliedMigrations = statement("db.appliedMigrations", "select name from kysely_migration");
const backendPid = statement("db.backendPid", "select pg_backend_pid() as pid").narrow<{
  pid: number;
}>();
const tryLock = statement("db.tryLock", "select pg_try_advisory_lock($1) as locked");

// The lock and the table of Kysely's migrator, which versions up to 0.5.0 use.
const lockId = "3853314791062309107";
const createTable = `create table if not exists kysely_migration (
  name varchar(255) constraint kysely_migration_pkey primary key, timestamp varchar(255) not null)`;

const lockPollMs = 200;
const lockWaitMs = 3_600_000;

/**
 * Waits until no other process migrates this database. It asks again and again, because a statement that waits for
 * the lock would have a snapshot, and building an index concurrently waits for all older snapshots.
 */
const lockMigrations = async (db: Db, tell: (line: string) => void) => {
  const endsAt = performance.now() + lockWaitMs;
  const isLocked = async () => (await first(db, tryLock, [lockId]))?.locked === true;
  if (await isLocked()) return;
  tell("Another process is migrating this database. Waiting until it has finished.");
  while (!(await isLocked())) {
    if (performance.now() > endsAt)
      throw new MigrationError("Another process has been migrating this database for an hour.");
    await setTimeout(lockPollMs);
  }
};

// A limit of the role or the database would end a long index build.
const withoutTimeouts = `select set_config(name, '0', false) from pg_settings where name in
  ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;

/** The migrations to apply. A newer version may have applied more than this one knows. */
const pendingOf = (migrations: readonly Migration[], applied: readonly string[]) => {
  const names = migrations.map(({ name }) => name);
  const unknown = applied.filter((name) => !names.includes(name) && name < (names.at(-1) ?? ""));
  if (unknown.length > 0)
    throw new MigrationError(
      `The database has migrations that this version doesn't have: ${unknown.join(", ")}.`,
    );
  const pending = migrations.filter(({ name }) => !applied.includes(name));
  const last = applied.toSorted().at(-1) ?? "";
  const late = pending.filter(({ name }) => name < last);
  if (late.length > 0)
    throw new MigrationError(
      `Migrations are applied in the order of their names. ${last} is applied already, so rename: ${late.map(({ name }) => name).join(", ")}.`,
    );
  return pending;
};

const requireBackfills = async (db: Db, { name, text }: Migration) => {
  const { requires } = directivesOf(text);
  if (requires.length === 0) return;
  const waiting = await findWaitingBackfills(db);
  const missing = waiting.filter((one) => requires.includes(one.name));
  if (missing.length > 0)
    throw new BackfillRequired(
      `Migration ${name} requires a finished backfill: ${missing.map((one) => one.name).join(", ")}. Run \`purser migrate --backfills\`, or wait until a worker has finished it and run \`purser migrate\` again.`,
    );
};

const applyPending = async (session: Session, migrations: readonly Migration[]) => {
  const { own, tell } = session;
  await run(own, createTable);
  const applied = (await run(own, appliedMigrations)).map(({ name }) => name);
  const pending = pendingOf(migrations, applied);
  for (const migration of pending) {
    await requireBackfills(own, migration);
    await applyMigration(session, migration, applied.length === 0);
    tell(`Applied ${migration.name}.`);
  }
  return pending.map(({ name }) => name);
};

type Options = {
  tell?: (line: string) => void;
  migrations?: readonly Migration[];
  patience?: Patience;
};

/**
 * Applies pending migrations one by one, and returns their names and the backfills that are waiting. A second
 * process waits, and then has nothing to do.
 */
export const migrate = async (url: string, options: Options = {}) => {
  const { tell = () => undefined, patience = defaultPatience } = options;
  await ensureDatabase(url);
  const { db } = connectAsOwner(url);
  try {
    // The lock belongs to this connection and ends with it.
    return await db.connection().execute(async (own) => {
      await run(own, withoutTimeouts);
      await lockMigrations(own, tell);
      const pid = (await first(own, backendPid))?.pid ?? 0;
      const session = { own, pid, db, patience, tell };
      const applied = await applyPending(session, options.migrations ?? (await readMigrations()));
      await installQueues(url);
      if (!options.migrations) await catchUpPartitions(own);
      await run(own, "grant select on kysely_migration to purser_app");
      return { applied, waiting: await findWaitingBackfills(own) };
    });
  } finally {
    await db.destroy();
  }
};

const known = migrationNames();

export const findAppliedMigrations = async (db: Db) =>
  (await run(db, appliedMigrations)).map(({ name }) => name);

/** The migrations that this code needs and the database doesn't have. */
export const findPendingMigrations = async (db: Db) => {
  const applied = new Set(await findAppliedMigrations(db));
  return (await known).filter((name) => !applied.has(name));
};

/** Whether the database has every migration that this code needs. Backfills may still be running. */
export const isMigrated = async (db: Db) => (await findPendingMigrations(db)).length === 0;

const lastMigration = statement(
  "db.lastMigration",
  "select name, timestamp from kysely_migration order by name desc limit 1",
);

/** The newest migration, when it was applied, and how many this code still needs. */
export const findMigrations = async (db: Db) => {
  const last = await first(db, lastMigration);
  const at = new Date(last?.timestamp ?? "");
  return {
    last: last?.name ?? "",
    lastAt: Number.isNaN(at.getTime()) ? null : at,
    waiting: (await findPendingMigrations(db)).length,
  };
};
