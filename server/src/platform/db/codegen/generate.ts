import { execFileSync } from "node:child_process";
import { type Db, run } from "../db.ts";
import { camelCase } from "../names.ts";
import { type Column, columnsOfTables, readTypeOf } from "./catalog.ts";

// Written as numbers and read as text, because not all fit a double.
const written: Record<string, string> = {
  int8: "string | number",
  timestamptz: "Date | string",
  date: "Date | string",
};

const pascalCase = (name: string) => camelCase(`_${name}`);

const typeOf = (column: Column) => {
  const { type, nullable, generated } = column;
  const read = readTypeOf(column);
  const orNull = nullable ? " | null" : "";
  const write = written[type] ?? read;
  const optional = generated || nullable ? " | undefined" : "";
  if (!optional && write === read) return `${read}${orNull}`;
  return `ColumnType<${read}${orNull}, ${write}${orNull}${optional}, ${write}${orNull}>`;
};

/** The TypeScript types of the tables, read from a migrated database. */
export const generateSchema = async (db: Db) => {
  const columns = (await run(db, columnsOfTables)).filter(
    ({ schema, table }) => schema === "public" && !table.startsWith("kysely"),
  );
  const tables = Map.groupBy(columns, ({ table }) => table);
  const rows = [...tables].map(
    ([table, own]) =>
      `type ${pascalCase(table)} = {\n${own.map((one) => `  ${camelCase(one.column)}: ${typeOf(one)};`).join("\n")}\n};\n`,
  );
  const database = [...tables.keys()].map(
    (table) => `  ${camelCase(table)}: ${pascalCase(table)};`,
  );
  return `// Generated from the migrated database by \`npm run schema\`; a test holds it equal.
import type { ColumnType } from "kysely";

${rows.join("\n")}
export type Database = {\n${database.join("\n")}\n};\n`;
};

/** The schema from `pg_dump`, without lines that differ between runs or minor versions. */
export const dumpSchema = (url: string) =>
  execFileSync("pg_dump", ["--schema-only", "--no-owner", "--schema=public", `--dbname=${url}`], {
    encoding: "utf8",
  })
    .split("\n")
    .filter((line) => !/^(--|SET |SELECT pg_catalog|\\(un)?restrict)/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimStart();
