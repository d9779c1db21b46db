import { listApps } from "@purser/contract/apps/endpoints";
import { diffCatalog } from "@purser/contract/catalog/catalog";
import type { FieldError } from "@purser/contract/http/problem";
import { expect, test } from "vitest";
import { openWorkspace, smallCatalog } from "../testing/workspace.ts";
import { parseText } from "./parse.ts";

const bombed = `version: 1
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b]
`;

const refused = [
  ["an alias bomb", bombed, 3, "catalog_file_alias"],
  ["a __proto__ key", "version: 1\n__proto__: { x: 1 }\n", 2, "catalog_file_key"],
  ["a tag", "version: 1\napps: !!js/function 'x'\n", 2, "catalog_file_tag"],
  ["a repeated key", "version: 1\nversion: 1\n", 2, "catalog_file_repeated"],
  ["a repeated key of JSON", '{ "version": 1,\n"version": 1 }', 2, "catalog_file_repeated"],
  ["several documents", "version: 1\n---\nversion: 1\n", 2, "catalog_file_documents"],
  ["an unclosed list", "version: 1\napps: [\n", 3, "catalog_file_syntax"],
  [
    "deep nesting",
    `version: 1\napps: ${"[".repeat(300)}${"]".repeat(300)}\n`,
    2,
    "catalog_file_nested",
  ],
] as const;

const invalid = [
  ["too large a number", "version: 1e999\n", 1, "version"],
  ["a merge key", "version: 1\n<<: { apps: [] }\n", 2, "<<"],
  ["an empty file", "", 1, ""],
  ["another version", "version: 2\n", 1, "version"],
  ["an id", "version: 1\napps:\n  - { id: 5, code: atlas, name: Atlas }\n", 3, "apps/atlas/id"],
  [
    "a code twice",
    "version: 1\napps:\n  - { code: atlas, name: A }\n  - { code: atlas, name: B }\n",
    4,
    "apps/atlas/code",
  ],
  [
    "a package with status active",
    "version: 1\npackages:\n  - code: studio\n    name: Studio\n    status: active\n",
    5,
    "packages/studio/status",
  ],
  [
    "a switch that is on",
    smallCatalog.replace("defaultValue: false", "defaultValue: on"),
    11,
    "apps/harbor/features/export/defaultValue",
  ],
] as const;

const workspace = await openWorkspace();

const firstErrorOf = async (source: string) => {
  const answer = await workspace.diff(source);
  expect(answer.status).toBe(400);
  const [error] = answer.body["errors"] as FieldError[];
  expect(error?.pointer.startsWith("/source")).toBe(true);
  expect(answer.body["detail"]).toContain(`in line ${error?.line}.`);
  expect(Object.prototype).not.toHaveProperty("x");
  return error;
};

test.each(refused)("refuses %s with its line", async (_name, source, line, code) => {
  expect(await firstErrorOf(source)).toMatchObject({ line, code });
});

test.each(invalid)("refuses %s with its line and path", async (_name, source, line, path) => {
  expect(await firstErrorOf(source)).toMatchObject({ line, parameters: { path } });
});

test("says that a switch is true or false in a file", async () => {
  const source = smallCatalog.replace("defaultValue: false", "defaultValue: on");
  expect(await firstErrorOf(source)).toMatchObject({ code: "catalog_switch_expected" });
});

const stairs = (line: string) =>
  Array.from({ length: 1300 }, (_, level) => `${" ".repeat(level)}${line}`).join("\n");

test.each([
  ["lists", "[".repeat(1_000_000)],
  ["closed lists", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
  ["maps", "{a: ".repeat(250_000)],
  ["keys", "? ".repeat(500_000)],
  ["items", "- ".repeat(500_000)],
  ["lists in items", "- [".repeat(300_000)],
  ["indented maps", stairs("a:")],
  ["indented items", stairs("-")],
])("D13 stops reading deeply nested %s at the limit of nesting", async (_name, source) => {
  expect(await firstErrorOf(source)).toMatchObject({ code: "catalog_file_nested" });
  const { user } = process.threadCpuUsage();
  const parsed = parseText(source);
  expect(parsed).toHaveProperty("faults");
  // Without the limit this takes up to 3 s of processor time.
  expect(process.threadCpuUsage().user - user).toBeLessThan(250_000);
});

test("D13 a user's files wait for each other, and those of others come first", async () => {
  const viewer = await workspace.signIn("viewer");
  const slow = `[${"a,".repeat(80_000)}]`;
  let finished = 0;
  const files = Array.from({ length: 4 }, async () => {
    const { status } = await workspace.call(viewer, diffCatalog, { body: { source: slow } });
    finished += 1;
    return status;
  });
  // Takes as long as the others need to get to their file.
  await workspace.call(viewer, listApps, {});
  expect((await workspace.diff("version: 1\n")).status).toBe(200);
  expect(finished).toBeLessThanOrEqual(1);
  // On a slow machine the last ones wait too long.
  expect((await Promise.all(files)).filter((status) => ![400, 429].includes(status))).toEqual([]);
});

test("a file that takes too long to read doesn't block other requests", async () => {
  const bomb = workspace.diff("[".repeat(400_000));
  expect((await workspace.call(workspace.admin, listApps, {})).status).toBe(200);
  const answer = await bomb;
  expect(answer.status).toBe(400);
  const [error] = answer.body["errors"] as FieldError[];
  expect(error?.code).toMatch(/^catalog_file_(nested|time|memory)$/);
  expect((await workspace.diff("version: 1\n")).body.changes).toEqual([]);
});
