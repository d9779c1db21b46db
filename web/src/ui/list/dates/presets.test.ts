import { expect, test } from "vitest";
import { daysOf } from "./presets.ts";

// A Wednesday in the second month of a quarter.
test.each([
  ["this", "day", "2026-11-18", "2026-11-18"],
  ["this", "week", "2026-11-16", "2026-11-18"],
  ["this", "month", "2026-11-01", "2026-11-18"],
  ["this", "quarter", "2026-10-01", "2026-11-18"],
  ["this", "year", "2026-01-01", "2026-11-18"],
  ["previous", "day", "2026-11-17", "2026-11-17"],
  ["previous", "week", "2026-11-09", "2026-11-15"],
  ["previous", "month", "2026-10-01", "2026-10-31"],
  ["previous", "quarter", "2026-07-01", "2026-09-30"],
  ["previous", "year", "2025-01-01", "2025-12-31"],
  ["last", "7", "2026-11-11", "2026-11-18"],
  ["on", "2026-02-03", "2026-02-03", "2026-02-03"],
  ["between", "2026-02-03,2026-03-04", "2026-02-03", "2026-03-04"],
  ["before", "2026-02-03", null, null],
])("%s:%s is from %s to %s", (operator, value, first, last) => {
  expect(daysOf(operator, value, "2026-11-18")).toEqual([first, last]);
});
