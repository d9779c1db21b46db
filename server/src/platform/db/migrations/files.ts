import { readdir, readFile } from "node:fs/promises";

const folder = new URL("../../../../migrations/", import.meta.url);

export type Migration = { name: string; text: string };

export const migrationNames = async () =>
  (await readdir(folder))
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.replace(/\.sql$/, ""))
    .sort();

export const readMigrations = async (): Promise<Migration[]> =>
  Promise.all(
    (await migrationNames()).map(async (name) => ({
      name,
      text: await readFile(new URL(`${name}.sql`, folder), "utf8"),
    })),
  );

/** The comments at the top of a file. Some of them are directives. */
export const headerOf = (text: string) => /^(?:--.*\n?)*/.exec(text)?.[0].split("\n") ?? [];

/** What the header tells the runner. `npm run check` refuses misspelled directives. */
export const directivesOf = (text: string) => {
  const header = headerOf(text);
  const namesAfter = (directive: string) =>
    header
      .filter((line) => line.startsWith(`${directive} `))
      .map((line) => line.slice(directive.length).trim());
  return {
    isTransactional: header[0]?.trim() !== "-- without transaction",
    /** Backfills that begin after this migration. */
    starts: namesAfter("-- backfill:"),
    /** Backfills that must be finished before this migration. */
    requires: namesAfter("-- requires backfill:"),
    /** The release whose code no longer uses what this migration drops. Only the check reads it. */
    unusedSince: namesAfter("-- unused since"),
  };
};

const parts =
  /--.*|\/\*[\s\S]*?\*\/|\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([a-z_]\w*)?\$[\s\S]*?\$\1\$|[\s\S]/gi;

/**
 * The statements of a file without their comments. PostgreSQL runs a text with several statements in one
 * transaction, so statements that can't run in one are sent separately.
 */
export const splitStatements = (text: string) => {
  let current = "";
  const statements: string[] = [];
  for (const [part] of `${text};`.matchAll(parts))
    if (part === ";") {
      if (current.trim()) statements.push(current.trim());
      current = "";
    } else current += /^(--|\/\*)/.test(part) ? " " : part;
  return statements;
};
