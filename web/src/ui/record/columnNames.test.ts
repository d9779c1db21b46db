import { readFileSync } from "node:fs";
import { auditedEntities } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { columnName, hasName } from "./columnNames.ts";

const schema = readFileSync(new URL("../../../../server/schema.sql", import.meta.url), "utf8");

const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Columns that the audit log leaves out: its own bookkeeping, and binary values. */
const isAudited = ({ name, type }: { name: string; type: string }) =>
  !["id", "version", "created_at", "updated_at"].includes(name) && type !== "bytea";

const columnsOf = (table: string) => {
  const [, body = ""] =
    new RegExp(`CREATE TABLE public\\.${table} \\((.*?)\\n\\)`, "s").exec(schema) ?? [];
  return [...body.matchAll(/^ {4}"?([a-z_]+)"? ([a-z]+)/gm)]
    .map(([, name = "", type = ""]) => ({ name, type }))
    .filter(isAudited)
    .map(({ name }) => camelCase(name));
};

test.each(auditedEntities)("names every column of %s", (table) => {
  const columns = columnsOf(table);
  expect(columns).not.toEqual([]);
  expect(columns.filter((column) => !hasName(column))).toEqual([]);
});

test("shows unknown columns by their technical name, and IDs by their end", () => {
  expect(columnName("formerColumn")).toBe("Former column");
  expect(columnName("0198f0a4-0000-7000-8000-0000000abcde")).toBe("…0abcde");
});
