import { expect, test } from "vitest";
import { windowAt } from "./windows.ts";

const kind = "metered";

test.each([
  ["hour", "UTC", "2026-06-15T12:34:56Z", "2026-06-15T12:00:00Z", "2026-06-15T13:00:00Z"],
  ["hour", "Asia/Kolkata", "2026-06-15T12:34:56Z", "2026-06-15T12:30:00Z", "2026-06-15T13:30:00Z"],
  ["day", "UTC", "2026-06-15T23:59:59Z", "2026-06-15T00:00:00Z", "2026-06-16T00:00:00Z"],
  ["day", "Europe/Berlin", "2026-06-15T22:00:00Z", "2026-06-15T22:00:00Z", "2026-06-16T22:00:00Z"],
  // Clocks are set forward, so this day has 23 hours.
  ["day", "Europe/Berlin", "2026-03-29T10:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
  ["week", "UTC", "2026-06-14T23:00:00Z", "2026-06-08T00:00:00Z", "2026-06-15T00:00:00Z"],
  ["week", "Asia/Tokyo", "2026-06-14T15:00:00Z", "2026-06-14T15:00:00Z", "2026-06-21T15:00:00Z"],
  ["month", "UTC", "2026-02-28T23:59:59Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"],
  [
    "month",
    "America/New_York",
    "2026-03-01T04:59:59Z",
    "2026-02-01T05:00:00Z",
    "2026-03-01T05:00:00Z",
  ],
  [
    "month",
    "America/New_York",
    "2026-03-31T12:00:00Z",
    "2026-03-01T05:00:00Z",
    "2026-04-01T04:00:00Z",
  ],
  ["year", "UTC", "2026-06-15T12:00:00Z", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
  [
    "year",
    "Pacific/Auckland",
    "2025-12-31T11:00:00Z",
    "2025-12-31T11:00:00Z",
    "2026-12-31T11:00:00Z",
  ],
  ["year", "UTC", "1999-06-15T12:00:00Z", "1999-01-01T00:00:00Z", "2000-01-01T00:00:00Z"],
] as const)("a %s in %s around %s", (reset, zone, at, start, end) => {
  expect(windowAt({ kind, reset }, new Date(at), zone)).toEqual({
    start: new Date(start),
    end: new Date(end),
  });
});

test("without a reset, usage is counted over all time", () => {
  const always = { start: null, end: null };
  expect(windowAt({ kind, reset: "never" }, new Date(), "UTC")).toEqual(always);
  expect(windowAt({ kind: "limit", reset: null }, new Date(), "UTC")).toEqual(always);
});
