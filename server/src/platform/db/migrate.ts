import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import { installQueues } from "../jobs/queues.ts";
import { connectAsOwner, type Db, run } from "./db.ts";
import { statement } from "./statement.ts";

const folder = new URL("../../../migrations/", import.meta.url);

const fromFile = (file: string): Migration => ({
  up: async (db) => {
    const text = await readFile(new URL(file, folder), "utf8");
    await sql.raw(text).execute(db);
  },
});

const migrations = async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Object.fromEntries(files.map((file) => [file.replace(/\.sql$/, ""), fromFile(file)]));
};

// If two processes create the database at once, the second gets one of these two errors.
const unlessItExists = (error: unknown) => {
  if (!(error instanceof pg.DatabaseError && /^(42P04|23505)$/.test(error.code ?? ""))) throw error;
};

// For a new server: the login may be allowed to create the database.
const ensureDatabase = async (url: string) => {
  const { pathname } = new URL(url);
  const name = decodeURIComponent(pathname.slice(1));
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === "3D000")) throw error;
    const server = new URL(url);
    server.pathname = "/postgres";
    const admin = new pg.Client({ connectionString: server.href });
    await admin.connect();
    await admin.query(`create database ${pg.escapeIdentifier(name)}`).catch(unlessItExists);
    await admin.end();
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Applies pending migrations and returns their names. A second process waits, and then has nothing to do. */
export const migrate = async (url: string) => {
  await ensureDatabase(url);
  const { db } = connectAsOwner(url);
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: migrations } });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    await installQueues(url);
    await allowReadingMigrations(db);
    return results.map(({ migrationName }) => migrationName);
  } finally {
    await db.destroy();
  }
};

// One after the other, because PostgreSQL refuses concurrent grants of the same privileges.
const allowReadingMigrations = (db: Db) =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('migrations'))`.execute(transaction);
    await sql`grant select on kysely_migration to purser_app`.execute(transaction);
  });

const appliedMigrations = statement("db.appliedMigrations", "select name from kysely_migration");

const known = migrations().then(Object.keys);

/** Whether the database has every migration that this code needs. */
export const isMigrated = async (db: Db) => {
  const rows = await run(db, appliedMigrations);
  const applied = new Set(rows.map(({ name }) => name));
  return (await known).every((name) => applied.has(name));
};
