import { defaultPreferences } from "@purser/contract/workspace/preferences";
import { expect, test } from "vitest";
import { client } from "../api/queryClient.ts";
import { sessionQuery } from "../session/session.ts";
import { agoOf, clockIn, dateIn, exactIn, momentIn, offsetOf } from "./dates.ts";

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
])("%d seconds ago is told as %s", (seconds, words) => {
  expect(agoOf(before(seconds), now)).toBe(words);
});

test("what is older than a week is told by its date", () => {
  expect(agoOf(before(8 * 24 * 3600), now)).toBeNull();
});

test("the same moment has the date of the zone it is looked at from", () => {
  const late = new Date("2026-02-28T23:30:00Z");
  expect(dateIn("Pacific/Honolulu", late)).toBe("28 Feb 2026");
  expect(dateIn("Asia/Tokyo", late)).toBe("1 Mar 2026");
  expect(exactIn("Asia/Tokyo", late)).toBe("1 Mar 2026, 08:30:00 Asia/Tokyo");
});

test("dates and the clock are written as the person's language has them", () => {
  const late = new Date("2026-02-28T23:30:00Z");
  const preferences = { ...defaultPreferences, language: "en-US" as const };
  client.setQueryData(sessionQuery.queryKey, { preferences } as never);
  expect(exactIn("UTC", late)).toBe("Feb 28, 2026, 11:30:00 PM UTC");
  expect(clockIn("UTC", late)).toBe("2026-02-28T23:30");
  client.clear();
  expect(dateIn("UTC", late)).toBe("28 Feb 2026");
});

test("a zone says how far it is from UTC, summer time included", () => {
  expect(offsetOf("UTC", now)).toBe("UTC+00:00");
  expect(offsetOf("Europe/Lisbon", new Date("2026-07-01T00:00:00Z"))).toBe("UTC+01:00");
  expect(offsetOf("Asia/Kolkata", now)).toBe("UTC+05:30");
});

test.each([
  ["UTC", "2026-11-20T09:00", "2026-11-20T09:00:00.000Z"],
  ["Europe/Berlin", "2026-07-01T09:00", "2026-07-01T07:00:00.000Z"],
  ["Asia/Kolkata", "2026-01-01T00:15", "2025-12-31T18:45:00.000Z"],
  // This hour is left out when summer begins.
  ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
])("in %s clocks show %s at %s", (zone, clock, moment) => {
  expect(momentIn(zone, clock)?.toISOString()).toBe(moment);
});

test("what a date and time field holds is what clocks show there; nothing is no moment", () => {
  expect(clockIn("Asia/Tokyo", new Date("2026-02-28T23:30:00Z"))).toBe("2026-03-01T08:30");
  expect(momentIn("UTC", "")).toBeNull();
});
