import { expect, test } from "vitest";
import { barIn, monthsIn, placeIn, spanOf } from "./timeline.ts";

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const iso = (day: string) => new Date(at(day)).toISOString();
const now = at("2026-11-14");

test("adds a margin around the promotion and always includes today", () => {
  const own = spanOf({ startsAt: iso("2026-11-02"), endsAt: iso("2026-12-01") }, now);
  expect(own).toEqual({ from: at("2026-10-15"), to: at("2027-01-01") });
  const past = spanOf({ startsAt: iso("2026-01-01"), endsAt: iso("2026-02-01") }, now);
  expect(placeIn(past, now)).toBeLessThan(100);
  const open = spanOf({ startsAt: null, endsAt: null }, now);
  expect(placeIn(open, now)).toBeGreaterThan(0);
});

test("limits the span when a distant date is typed", () => {
  const far = spanOf({ startsAt: iso("0002-01-01"), endsAt: iso("9999-01-01") }, now);
  expect((far.to - far.from) / 86_400_000).toBeLessThan(2000);
  expect(monthsIn(far, "UTC").length).toBeLessThanOrEqual(7);
});

test("keeps bars within the span, also without a start or end", () => {
  const span = { from: at("2026-11-01"), to: at("2026-12-01") };
  expect(barIn(span, { startsAt: null, endsAt: iso("2026-11-16") })).toEqual({
    left: 0,
    width: 50,
  });
  expect(barIn(span, { startsAt: iso("2026-11-16"), endsAt: null })).toEqual({
    left: 50,
    width: 50,
  });
});

test("labels the starts of months", () => {
  const span = { from: at("2026-10-15"), to: at("2027-01-01") };
  expect(monthsIn(span, "Europe/Tallinn").map(({ label }) => label)).toEqual(["Nov", "Dec"]);
});
