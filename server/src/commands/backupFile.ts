import { UsageError } from "./command.ts";
import { type Run, runTool } from "./postgresTools.ts";

/** The migrations that the database of a backup had. */
export const readBackupMigrations = async (file: string, run: Run) => {
  const words = ["--data-only", "--table=kysely_migration", "--file=-", file];
  const text = await runTool("pg_restore", words, run);
  const rows = /^COPY public\.kysely_migration .*\n([\s\S]*?)^\\\.$/m.exec(text)?.[1];
  if (rows === undefined) throw new UsageError(`${file} isn't a backup of Purser.`);
  return rows
    .split("\n")
    .filter(Boolean)
    .map((row) => row.split("\t")[0] ?? "")
    .sort();
};

const grants = /^GRANT .* TO ("(?:[^"]|"")+"|\w+)(?: WITH GRANT OPTION)?;$/gm;

const unquoted = (name: string) =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;

/** The roles that a backup grants privileges to. They must exist before it is restored. */
export const grantees = (schema: string) => {
  const names = [...schema.matchAll(grants)].map(([, name = ""]) => unquoted(name));
  return [...new Set(names)].filter((name) => name !== "PUBLIC").sort();
};

export const readBackupRoles = async (file: string, run: Run) =>
  grantees(await runTool("pg_restore", ["--schema-only", "--file=-", file], run));
