import { listApps } from "@purser/contract/apps/endpoints";
import { expect, test } from "vitest";
import { openWorkspace, smallCatalog } from "../testing/workspace.ts";

const bombed = `version: 1
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b]
`;

const refused = [
  ["an alias bomb", bombed, "Line 3: Write out what *a stands for: aliases are not read."],
  [
    "a __proto__ key",
    "version: 1\n__proto__: { x: 1 }\n",
    "Line 2: No part of a catalogue is called __proto__.",
  ],
  ["a tag", "version: 1\napps: !!js/function 'x'\n", "Line 2: Leave the tag out:"],
  [
    "a repeated key",
    "version: 1\nversion: 1\n",
    'Line 2: "version" stands here twice. Keep one of them.',
  ],
  [
    "a repeated key of JSON",
    '{ "version": 1,\n"version": 1 }',
    'Line 2: "version" stands here twice.',
  ],
  ["too large a number", "version: 1e999\n", "Line 1: version must be 1."],
  [
    "several documents",
    "version: 1\n---\nversion: 1\n",
    "Line 2: It holds several documents. Send one.",
  ],
  ["an unclosed list", "version: 1\napps: [\n", "Line 3: It cannot be read: "],
  [
    "deep nesting",
    `version: 1\napps: ${"[".repeat(300)}${"]".repeat(300)}\n`,
    "Line 2: It is nested too deeply",
  ],
  ["a merge key", "version: 1\n<<: { apps: [] }\n", "Line 2: << is not known here; leave it out."],
  ["an empty file", "", "Line 1: The file must not be empty."],
  ["another version", "version: 2\n", "Line 1: version must be 1."],
  [
    "an id",
    "version: 1\napps:\n  - { id: 5, code: atlas, name: Atlas }\n",
    "Line 3: apps/atlas/id is not known here; leave it out.",
  ],
  [
    "a code twice",
    "version: 1\napps:\n  - { code: atlas, name: A }\n  - { code: atlas, name: B }\n",
    "Line 4: apps/atlas/code stands here twice.",
  ],
  [
    "a package with status active",
    "version: 1\npackages:\n  - code: studio\n    name: Studio\n    status: active\n",
    "Line 5: packages/studio/status is archived or left out:",
  ],
  [
    "a switch that is on",
    smallCatalog.replace("defaultValue: false", "defaultValue: on"),
    "Line 11: apps/harbor/features/export/defaultValue must be true or false.",
  ],
] as const;

const workspace = await openWorkspace();

test.each(refused)("refuses %s with a message and its line", async (_name, source, detail) => {
  const answer = await workspace.diff(source);
  expect(answer.status).toBe(400);
  expect(answer.body["detail"]).toContain(detail);
  const [error] = answer.body["errors"] as { pointer: string; line: number }[];
  expect(error?.pointer.startsWith("/source")).toBe(true);
  expect(`Line ${error?.line}:`).toBe(detail.slice(0, detail.indexOf(":") + 1));
  expect(Object.prototype).not.toHaveProperty("x");
});

test("a file that takes too long to read doesn't block other requests", async () => {
  const bomb = workspace.diff("[".repeat(400_000));
  expect((await workspace.call(workspace.admin, listApps, {})).status).toBe(200);
  const answer = await bomb;
  expect(answer.status).toBe(400);
  expect(answer.body["detail"]).toMatch(
    /nested too deeply|needs too much (processing time|memory)/,
  );
  expect((await workspace.diff("version: 1\n")).body.changes).toEqual([]);
});
