import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints, isEndpoint } from "./endpoints.ts";
import { entities, entityNames } from "./entities.ts";

const files = globSync("**/*.ts", { cwd: import.meta.dirname }).filter(
  (file) => !file.endsWith(".test.ts"),
);
const exported = (
  await Promise.all(
    files.map(async (file) =>
      Object.entries<unknown>(await import(new URL(file, import.meta.url).href)),
    ),
  )
).flat();

test("lists every endpoint in endpoints.ts", () => {
  const known = new Set(Object.values(endpoints));
  const missing = exported.filter(([, value]) => isEndpoint(value) && !known.has(value));
  expect(missing.map(([name]) => name)).toEqual([]);
});

test("every entity with a list of its own is in entities.ts", () => {
  const lists = exported.map(([name]) => name).filter((name) => name.endsWith("ListFields"));
  const known = Object.values(entities).map(({ one }) => `${one}ListFields`);
  expect(new Set(lists)).toEqual(new Set(known));
});

test("every entity is in the glossary", () => {
  const glossary = readFileSync(new URL("../../docs/glossary.md", import.meta.url), "utf8");
  const words = [...glossary.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    cell.split(/[,(]/).map((word) => word.trim()),
  );
  expect(entityNames.filter((name) => !words.includes(entities[name].one))).toEqual([]);
});
