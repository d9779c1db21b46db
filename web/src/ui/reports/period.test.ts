import { expect, test } from "vitest";
import { daysOf, readPeriod } from "./period.ts";

test.each([
  [{}, "2026-10-20", "2026-11-18"],
  [{ range: "7d" }, "2026-11-12", "2026-11-18"],
  [{ range: "month" }, "2026-11-01", "2026-11-18"],
  [{ range: "last-month" }, "2026-10-01", "2026-10-31"],
  [{ range: "12m" }, "2025-12-01", "2026-11-18"],
  [{ range: "custom", from: "2026-01-05", until: "2026-02-01" }, "2026-01-05", "2026-02-01"],
] as const)("%j is %s to %s", (search, from, until) => {
  expect(daysOf(search, "30d", "2026-11-18")).toEqual({ from, until });
});

test.each([
  [
    { range: "90d", compare: "year", currency: "USD" },
    { range: "90d", compare: "year", currency: "USD" },
  ],
  [{ range: "tomorrow", compare: "previous", currency: "usd" }, {}],
  [{ range: "custom" }, {}],
  [{ range: "custom", from: "2026-01-05", until: "soon" }, {}],
] as const)("HM2 the search %j is read as %j", (given, search) => {
  expect(readPeriod(given)).toEqual(search);
});
