import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const journeys = join(import.meta.dirname, "../../e2e/journeys");

const isNightly = /@nightly\b.*["`]/;
const reason = /^\/\/ @nightly: .+\.$/gm;

/** The gate skips nightly tests, so each file explains once why that is safe. */
const lacksReason = (text: string) =>
  isNightly.test(text) && [...text.matchAll(reason)].length !== 1;

test("A browser test file with @nightly tests has one comment with the reason", () => {
  const files = globSync("**/*.test.ts", { cwd: journeys });
  expect(files.length).toBeGreaterThan(50);
  const faults = files.filter((file) => lacksReason(readFileSync(join(journeys, file), "utf8")));
  expect(faults).toEqual([]);
});

test("A missing, repeated or unfinished reason is found", () => {
  const nightly = 'test("A refund requires approval @nightly", () => {});\n';
  const comment = "// @nightly: The rules are covered over HTTP.\n";
  expect(lacksReason(nightly)).toBe(true);
  expect(lacksReason(`// @nightly\n${nightly}`)).toBe(true);
  expect(lacksReason(comment + comment + nightly)).toBe(true);
  expect(lacksReason(comment + nightly)).toBe(false);
  expect(lacksReason('test("A refund requires approval", () => {});\n')).toBe(false);
});
