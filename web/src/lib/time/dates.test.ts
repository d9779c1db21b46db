import { expect, test } from "vitest";
import { formatDate, formatExact, relativeTime } from "./dates.ts";
import { localDateTime, parseLocalDateTime, utcOffset } from "./localTime.ts";

const now = new Date("2026-11-15T12:00:00Z");
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  [2, "just now"],
  [30, "30 seconds ago"],
  [90, "1 minute ago"],
  [2 * 3600, "2 hours ago"],
  [30 * 3600, "yesterday"],
  [3 * 24 * 3600, "3 days ago"],
  [-3600, "in 1 hour"],
])("formats %d seconds ago as %s", (seconds, words) => {
  expect(relativeTime(before(seconds), now)).toBe(words);
});

test("returns null for more than a week ago", () => {
  expect(relativeTime(before(8 * 24 * 3600), now)).toBeNull();
});

test("formats the date in the given time zone", () => {
  const late = new Date("2026-02-28T23:30:00Z");
  expect(formatDate("Pacific/Honolulu", late)).toBe("Feb 28, 2026");
  expect(formatDate("Asia/Tokyo", late)).toBe("Mar 1, 2026");
  expect(formatExact("Asia/Tokyo", late)).toBe("Mar 1, 2026, 8:30:00 AM Asia/Tokyo");
});

test("shows the UTC offset, including daylight saving time", () => {
  expect(utcOffset("UTC", now)).toBe("UTC+00:00");
  expect(utcOffset("Europe/Lisbon", new Date("2026-07-01T00:00:00Z"))).toBe("UTC+01:00");
  expect(utcOffset("Asia/Kolkata", now)).toBe("UTC+05:30");
});

test.each([
  ["UTC", "2026-11-20T09:00", "2026-11-20T09:00:00.000Z"],
  ["Europe/Berlin", "2026-07-01T09:00", "2026-07-01T07:00:00.000Z"],
  ["Asia/Kolkata", "2026-01-01T00:15", "2025-12-31T18:45:00.000Z"],
  // This hour is skipped when daylight saving time starts.
  ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
])("converts local time in %s %s to %s", (zone, clock, moment) => {
  expect(parseLocalDateTime(zone, clock)?.toISOString()).toBe(moment);
});

test("converts a moment to a datetime field and back, and invalid text to null", () => {
  expect(localDateTime("Asia/Tokyo", new Date("2026-02-28T23:30:00Z"))).toBe("2026-03-01T08:30");
  expect(parseLocalDateTime("UTC", "")).toBeNull();
});
