import { execFileSync } from "node:child_process";
import { type Db, run } from "./db.ts";
import { camelCase } from "./names.ts";

type Column = {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  generated: boolean;
  /** The definitions of the table's CHECK constraints that name this column. */
  checks: string[];
};

const types: Record<string, string> = {
  text: "string",
  uuid: "string",
  int4: "number",
  float8: "number",
  bool: "boolean",
  int8: "string",
  bytea: "Buffer",
  timestamptz: "Date",
  jsonb: "unknown",
  _text: "string[]",
  _int8: "string[]",
};

// Numbers of this size are sent as they are and come back as text, since not all fit a double.
const written: Record<string, string> = { int8: "string | number", timestamptz: "Date | string" };

const pascalCase = (name: string) => camelCase(`_${name}`);

// A column whose values a CHECK lists is a union of them.
const listedIn = ({ column, checks }: Column) => {
  const pattern = new RegExp(`\\b${column} (= ANY \\(|<@ )\\(?ARRAY\\[(?<values>[^\\]]+)\\]`);
  const values = checks.map((check) => pattern.exec(check)?.groups?.["values"]).find(Boolean);
  return values
    ?.matchAll(/'([^']*)'/g)
    .map(([, value]) => JSON.stringify(value))
    .toArray()
    .join(" | ");
};

const readTypeOf = (column: Column) => {
  const known = types[column.type];
  if (!known) throw new Error(`No TypeScript type is known for ${column.type}.`);
  const listed = listedIn(column);
  if (!listed) return known;
  return column.type === "_text" ? `(${listed})[]` : listed;
};

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
  const columns = await run<Column>(
    db,
    `select c.table_name as table, c.column_name as column, c.udt_name as type,
       c.is_nullable = 'YES' as nullable,
       c.column_default is not null or c.is_identity = 'YES' as generated,
       array(
         select pg_get_constraintdef(k.oid) from pg_constraint k
         where k.contype = 'c' and k.conrelid = c.table_name::regclass
       ) as checks
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'kysely%'
     order by c.table_name, c.ordinal_position`,
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

/** The schema as `pg_dump` tells it, without what differs from one run or minor version to the next. */
export const dumpSchema = (url: string) =>
  execFileSync("pg_dump", ["--schema-only", "--no-owner", "--schema=public", `--dbname=${url}`], {
    encoding: "utf8",
  })
    .split("\n")
    .filter((line) => !/^(--|SET |SELECT pg_catalog|\\(un)?restrict)/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimStart();
