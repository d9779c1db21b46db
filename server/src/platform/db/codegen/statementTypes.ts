import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { declaredStatements } from "../statement.ts";
import { type Column, columnsOfTables } from "./catalog.ts";
import { type Catalog, type Described, describe } from "./describe.ts";

const source = new URL("../../../", import.meta.url).pathname;
const declaration = /\b(statement|selection|template)\(\s*"/;
const ofTests = /\.(test|testing|fixture)\.ts$|\/testing\.ts$/;

/** Every statement of the server. Loading a file declares its statements. */
export const loadStatements = async () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !ofTests.test(file))
    .map((file) => join(source, file))
    .filter((file) => declaration.test(readFileSync(file, "utf8")));
  for (const file of files) await import(pathToFileURL(file).href);
  return declaredStatements();
};

const readCatalog = async (client: pg.Client): Promise<Catalog> => {
  const { rows: types } = await client.query<{ oid: number; typname: string }>(
    "select oid, typname from pg_type",
  );
  const { rows: columns } = await client.query<Column>(columnsOfTables.text);
  return {
    types: new Map(types.map(({ oid, typname }) => [oid, typname])),
    columns: new Map(columns.map((one) => [`${one.tableId}.${one.columnId}`, one])),
  };
};

/** The examples of a template must have the same names and types. A column is nullable if it is in one of them. */
const merge = (one: Described[], other: Described[]) => {
  const shape = (columns: Described[]) =>
    columns.map(({ name, type }) => `${name}: ${type}`).join();
  if (shape(one) !== shape(other)) throw new Error("Its examples have different columns.");
  return one.map((column, index) => {
    const second = other[index] ?? column;
    return column.kind === "required" ? second : column;
  });
};

const key = (name: string) => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name));

const typeOf = ({ type, kind }: Described) =>
  kind === "required" || type === "unknown" ? type : `${type} | null`;

const write = (name: string, columns: Described[]) => {
  const fields = columns.map((one) => `      ${key(one.name)}: ${typeOf(one)};\n`).join("");
  const row = fields ? `{\n${fields}    }` : "Record<never, never>";
  const nullable = columns.filter(({ kind }) => kind === "nullable");
  const keys = nullable.map((one) => JSON.stringify(one.name)).join(" | ") || "never";
  return `  ${JSON.stringify(name)}: {\n    row: ${row};\n    nullable: ${keys};\n  };\n`;
};

/** The row types of statements, as the database describes them. Fails at those that it can't prepare. */
export const generateRows = async (
  client: pg.Client,
  statements: ReadonlyMap<string, readonly string[]>,
) => {
  const catalog = await readCatalog(client);
  const parts: string[] = [];
  const failed: string[] = [];
  for (const [name, texts] of [...statements].sort(([one], [other]) => (one < other ? -1 : 1)))
    try {
      const described: Described[][] = [];
      for (const text of texts) described.push(await describe(client, catalog, text));
      parts.push(write(name, described.reduce(merge)));
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  if (failed.length > 0) throw new Error(`Statements that can't be typed:\n${failed.join("\n")}`);
  return `// Generated from the statements and the migrated database by \`npm run schema\`; \`npm run check\` compares.

/** By statement: its rows, and which of their columns are null in some rows of the database. */
export type Rows = {\n${parts.join("")}};\n`;
};

const partsOf = (generated: string) =>
  new Map(
    [...generated.matchAll(/^ {2}"([^"]+)": \{\n(?:.|\n)*?^ {2}\};$/gm)].map(([all, name]) => [
      name,
      all,
    ]),
  );

/** The names of the statements whose types differ between two generated files. */
export const differences = (one: string, other: string) => {
  const [before, after] = [partsOf(one), partsOf(other)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
};
