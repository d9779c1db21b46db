import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { buildClient } from "../build.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-client-size-"));
afterAll(() => rmSync(folder, { recursive: true }));
await buildClient(folder, true);

const read = (file: string) => readFileSync(join(folder, file), "utf8");

/** A file and those that it imports. */
const filesOf = (file: string, seen = new Set<string>()): Set<string> => {
  seen.add(file);
  for (const [, next = ""] of read(file).matchAll(/from\s*"\.\/([^"]+)"/g))
    if (!seen.has(next)) filesOf(next, seen);
  return seen;
};

const bytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);

const core = filesOf("index.js");

test("the core has at most 6 kB, and React at most 3 kB on top of it", () => {
  expect(bytesOf(core)).toBeLessThanOrEqual(6000);
  expect(bytesOf(filesOf("react.js").difference(core))).toBeLessThanOrEqual(3000);
});

test("nothing but React and modules of Node is imported, and only where it is needed", () => {
  const importsOf = (entry: string) =>
    [...filesOf(entry)].flatMap((file) =>
      [...read(file).matchAll(/from\s*"([^.][^"]*)"/g)].map(([, name = ""]) => name),
    );
  for (const entry of ["index", "browser", "leases", "snapshots", "testing", "webhooks"])
    expect(importsOf(`${entry}.js`)).toEqual([]);
  expect(importsOf("react.js").toSorted()).toEqual(["react", "react/jsx-runtime"]);
  expect(importsOf("node.js").every((name) => name.startsWith("node:"))).toBe(true);
});
