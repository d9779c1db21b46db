import { existsSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type pg from "pg";
import { type Command, ownerUrl, UsageError } from "./command.ts";
import { countContents, describeContents, findServerMajor, withOwner } from "./databaseContents.ts";
import { type Run, runTool } from "./postgresTools.ts";

const size = new Intl.NumberFormat("en", {
  style: "unit",
  unit: "megabyte",
  maximumFractionDigits: 1,
}).format;

/** The file contains all data, so only its owner can read it. */
const createPrivately = async (path: string) => {
  try {
    const file = await open(path, "w", 0o600);
    await file.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The backup can't be written. Choose another folder. ${reason}`);
  }
};

const newestMigration = "select max(name) as name from kysely_migration";

/** Writes a dump, and counts what is in it in the same snapshot. */
const dump = async (client: pg.Client, path: string, run: Run) => {
  await client.query("begin isolation level repeatable read read only");
  const { rows: migrations } = await client.query<{ name: string | null }>(newestMigration);
  const { rows } = await client.query<{ id: string }>("select pg_export_snapshot() as id");
  const words = ["--format=custom", `--snapshot=${rows[0]?.id}`, `--file=${path}`];
  const dumping = runTool("pg_dump", words, run);
  const [, contents] = await Promise.all([dumping, countContents(client)]).catch(async (error) => {
    // The file can be removed only when the tool has ended.
    await dumping.catch(() => undefined);
    throw error;
  });
  await client.query("commit");
  // Reads the table of contents, which is written last.
  await runTool("pg_restore", ["--list", path], run);
  return { ...contents, migration: migrations[0]?.name ?? null };
};

/** Writes all data to a file. The name appears when the file is complete. */
export const backup: Command = async (config, { rest: [given], force, environment, print }) => {
  if (!given) throw new UsageError("Usage: purser backup <file> [--force].");
  const file = resolve(given);
  if (existsSync(file) && !force)
    throw new UsageError(`${file} already exists. Choose another name, or add --force.`);
  const url = ownerUrl(config);
  const unfinished = `${file}.${process.pid}.partial`;
  await withOwner(url, async (client) => {
    const major = await findServerMajor(client);
    await createPrivately(unfinished);
    try {
      const made = await dump(client, unfinished, { url, environment, major });
      const bytes = (await stat(unfinished)).size;
      await rename(unfinished, file);
      print(
        `Wrote ${file}: ${size(bytes / 1_000_000)}, ${describeContents(made)}, newest migration ${made.migration}.\n`,
      );
      print("Keep SECRET_KEYS in another place. The backup doesn't contain them.\n");
    } finally {
      await rm(unfinished, { force: true });
    }
  });
};
