import { existsSync } from "node:fs";
import { resolve } from "node:path";
import pg from "pg";
import { connectAsOwner } from "../platform/db/db.ts";
import { dropDatabase, ensureDatabase } from "../platform/db/migrate.ts";
import { migrationNames } from "../platform/db/migrations/files.ts";
import { ensureAppRole, setDatabasePrivileges } from "./appRole.ts";
import { verifyAuditLog } from "./audit.ts";
import { readBackupMigrations, readBackupRoles } from "./backupFile.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";
import { countContents, describeContents, findServerMajor, withOwner } from "./databaseContents.ts";
import { verifyLedger } from "./ledger.ts";
import { databaseNameOf, type Run, runTool } from "./postgresTools.ts";

const assertEmpty = async (client: pg.Client, name: string) => {
  const { tables } = await countTables(client);
  if (tables > 0)
    throw new UsageError(
      `The database ${name} already has tables. Restore into an empty one: set DATABASE_URL and MIGRATION_DATABASE_URL to a database that is new or doesn't exist yet, and run the command again.`,
    );
};

const countTables = async (client: pg.Client) => {
  const { rows } = await client.query<{ tables: number }>(
    `select count(*)::int as tables from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  );
  return rows[0] ?? { tables: 0 };
};

/** An older release can't use the tables of a newer one. */
const assertKnownMigrations = async (file: string, run: Run) => {
  const [known, applied] = await Promise.all([migrationNames(), readBackupMigrations(file, run)]);
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(
      `The backup was made by another release, with migrations that this one doesn't have: ${unknown.join(", ")}. Restore it with that release or a newer one.`,
    );
  return { pending: known.filter((name) => !applied.includes(name)) };
};

const assertRoles = async (client: pg.Client, file: string, run: Run) => {
  const named = await readBackupRoles(file, run);
  const { rows } = await client.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname = any ($1)",
    [named],
  );
  const found = rows.map(({ name }) => name);
  const missing = named.filter((name) => name !== "purser_app" && !found.includes(name));
  if (missing.length > 0)
    throw new UsageError(
      `The backup grants privileges to roles that this server doesn't have. Create them, and run the command again:\n${missing.map((name) => `create role ${pg.escapeIdentifier(name)};`).join("\n")}`,
    );
};

const load = async (client: pg.Client, file: string, run: Run, print: Print) => {
  await assertRoles(client, file, run);
  const { isNew } = await ensureAppRole(client);
  if (isNew) print("Created the role purser_app.\n");
  // In one transaction, so that the database is still empty after a failure. The login becomes the owner.
  const words = ["--single-transaction", "--no-owner", `--dbname=${databaseNameOf(run.url)}`, file];
  await runTool("pg_restore", words, run);
  await setDatabasePrivileges(client);
  await client.query("analyze");
  print(`Restored ${describeContents(await countContents(client))}.\n`);
};

type Print = Parameters<Command>[1]["print"];

const verify = async (url: string, print: Print) => {
  const { db } = connectAsOwner(url);
  try {
    await verifyAuditLog(db, print);
    await verifyLedger(db, print);
  } finally {
    await db.destroy();
  }
};

/** Restores a backup into an empty database, and verifies it. */
export const restore: Command = async (config, { rest: [given], environment, print }) => {
  if (!given) throw new UsageError("Usage: purser restore <file>.");
  const file = resolve(given);
  if (!existsSync(file)) throw new UsageError(`${file} doesn't exist.`);
  const url = ownerUrl(config);
  const { isNew } = await ensureDatabase(url);
  const { pending } = await withOwner(url, async (client) => {
    const run = { url, environment, major: await findServerMajor(client) };
    await assertEmpty(client, databaseNameOf(url));
    const checked = await assertKnownMigrations(file, run);
    await load(client, file, run, print);
    return checked;
  }).catch(async (error: unknown) => {
    // The same command then works with another file, and no empty database is mistaken for a restored one.
    if (isNew) await dropDatabase(url);
    throw error;
  });
  await verify(url, print);
  print(
    pending.length > 0
      ? `Next: purser migrate. ${pending.length} migrations of this release are missing.\n`
      : "Next: purser doctor.\n",
  );
};
