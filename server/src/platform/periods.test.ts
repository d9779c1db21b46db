import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { addDays, indexOfPeriod, periodAt, type Rhythm } from "./periods.ts";

const numRuns = sized({ gate: 500, nightly: 100_000 });
const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The local time in a zone, such as "2027-03-28 03:00:00". */
const shownIn = (zone: string, at: number) => {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  clocks.set(zone, clock);
  return clock.format(at);
};

const startsIn = (rhythm: Rhythm, count: number) =>
  Array.from({ length: count }, (_, index) =>
    shownIn(rhythm.zone, periodAt(rhythm, index).start.getTime()),
  );

test("a monthly period from the 31st ends on the last day of short months and returns to the 31st", () => {
  const anchor = new Date("2027-01-31T09:00:00Z");
  expect(startsIn({ anchor, interval: "month", intervalCount: 1, zone: "UTC" }, 5)).toEqual([
    "2027-01-31 09:00:00",
    "2027-02-28 09:00:00",
    "2027-03-31 09:00:00",
    "2027-04-30 09:00:00",
    "2027-05-31 09:00:00",
  ]);
});

test("a yearly period from a leap day ends on 28 February, or on the 29th in leap years", () => {
  const anchor = new Date("2096-02-29T12:00:00Z");
  expect(startsIn({ anchor, interval: "year", intervalCount: 2, zone: "UTC" }, 5)).toEqual([
    "2096-02-29 12:00:00",
    "2098-02-28 12:00:00",
    "2100-02-28 12:00:00",
    "2102-02-28 12:00:00",
    "2104-02-29 12:00:00",
  ]);
});

test("days are those of the company's time zone", () => {
  const anchor = new Date("2026-12-31T11:30:00Z");
  const rhythm = { anchor, interval: "month", intervalCount: 1, zone: "Pacific/Auckland" } as const;
  expect(startsIn(rhythm, 3)).toEqual([
    "2027-01-01 00:30:00",
    "2027-02-01 00:30:00",
    "2027-03-01 00:30:00",
  ]);
});

test("the local time of day is kept when clocks change", () => {
  const anchor = new Date("2027-03-27T12:00:00Z");
  const rhythm = { anchor, interval: "day", intervalCount: 1, zone: "Europe/Berlin" } as const;
  expect(periodAt(rhythm, 0)).toEqual({ start: anchor, end: new Date("2027-03-28T11:00:00Z") });
  expect(periodAt(rhythm, 217)).toEqual({
    start: new Date("2027-10-30T11:00:00Z"),
    end: new Date("2027-10-31T12:00:00Z"),
  });
});

test("keeps milliseconds", () => {
  const anchor = new Date("2027-03-27T12:00:00.123Z");
  expect(addDays(anchor, 1, "Europe/Berlin")).toEqual(new Date("2027-03-28T11:00:00.123Z"));
});

test("a skipped local time becomes the first one after the change", () => {
  const anchor = new Date("2027-03-27T01:30:00Z");
  const rhythm = { anchor, interval: "day", intervalCount: 1, zone: "Europe/Berlin" } as const;
  expect(startsIn(rhythm, 3)).toEqual([
    "2027-03-27 02:30:00",
    "2027-03-28 03:00:00",
    "2027-03-29 02:30:00",
  ]);
});

test("a repeated local time means the first one, unless the anchor is the second", () => {
  const zone = "Europe/Berlin";
  const [first, second] = [new Date("2027-10-31T00:30:00Z"), new Date("2027-10-31T01:30:00Z")];
  expect(addDays(new Date("2027-10-30T00:30:00Z"), 1, zone)).toEqual(first);
  expect(addDays(second, 0, zone)).toEqual(second);
  expect(addDays(second, 1, zone)).toEqual(new Date("2027-11-01T01:30:00Z"));
});

test("a day skipped by a time zone is an empty period", () => {
  // Samoa skipped 30 December 2011 to cross the date line.
  const anchor = new Date("2011-12-29T10:00:00Z");
  const rhythm = { anchor, interval: "day", intervalCount: 1, zone: "Pacific/Apia" } as const;
  const change = new Date("2011-12-30T10:00:00Z");
  expect(startsIn(rhythm, 1)).toEqual(["2011-12-29 00:00:00"]);
  expect(periodAt(rhythm, 1)).toEqual({ start: change, end: change });
  expect(indexOfPeriod(rhythm, change)).toBe(2);
});

test.each([
  ["2027-01-31T09:00:00.000Z", 0],
  ["2027-02-28T08:59:59.999Z", 0],
  ["2027-02-28T09:00:00.000Z", 1],
  ["2027-03-31T08:59:59.999Z", 1],
  ["2028-01-31T09:00:00.000Z", 12],
  ["2027-01-31T08:59:59.999Z", -1],
])("%s lies in period %i of a month from 31 January", (at, index) => {
  const anchor = new Date("2027-01-31T09:00:00Z");
  const rhythm = { anchor, interval: "month", intervalCount: 1, zone: "UTC" } as const;
  expect(indexOfPeriod(rhythm, new Date(at))).toBe(index);
});

/** All clock changes of ten years in all zones, by week. */
const changes = Intl.supportedValuesOf("timeZone").flatMap((zone) => {
  const aheadAt = (at: number) => Date.parse(`${shownIn(zone, at)}Z`) - at;
  const weeks = Array.from({ length: 530 }, (_, week) => Date.UTC(2016, 10, 1) + week * 7 * dayMs);
  return weeks
    .filter((week) => aheadAt(week) !== aheadAt(week + 7 * dayMs))
    .map((week) => ({ zone, week, before: aheadAt(week), aheadAt }));
});

/** The minute of the change. */
const momentOfChange = ({ week, before, aheadAt }: (typeof changes)[number]) => {
  let at = week;
  for (const step of [dayMs, hourMs, minuteMs]) while (aheadAt(at + step) === before) at += step;
  return at + minuteMs;
};

const anyInterval = fc.constantFrom("day", "week", "month", "year");
const anyCount = fc.integer({ min: 1, max: 4 });
const anyIndex = fc.integer({ min: 1, max: 12 });
const changing = [...new Set(changes.map(({ zone }) => zone))];

const anyRhythm = fc.record({
  anchor: fc
    .integer({ min: Date.UTC(1970, 0, 2) / secondMs, max: Date.UTC(2920, 0, 1) / secondMs })
    .map((second) => new Date(second * secondMs)),
  interval: anyInterval,
  intervalCount: anyCount,
  zone: fc.constantFrom(...changing),
});

/** Roughly `count` intervals earlier, ignoring clock changes and lengths of months. */
const roughlyBefore = (at: Date, interval: Rhythm["interval"], count: number) => {
  const days = { day: count, week: 7 * count, month: 0, year: 0 }[interval];
  const months = { day: 0, week: 0, month: count, year: 12 * count }[interval];
  const date = new Date(at.getTime() - days * dayMs);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date;
};

/** A rhythm and the index of a period that starts within hours of a clock change. */
const besideChange = fc
  .record({
    change: fc.constantFrom(...changes),
    apart: fc.integer({ min: -4 * 60, max: 4 * 60 }),
    interval: anyInterval,
    intervalCount: anyCount,
    index: anyIndex,
  })
  .map(({ change, apart, interval, intervalCount, index }) => {
    const near = new Date(momentOfChange(change) + apart * minuteMs);
    const anchor = roughlyBefore(near, interval, index * intervalCount);
    return [{ anchor, interval, intervalCount, zone: change.zone }, index] as const;
  });

const anyPeriod = fc.oneof(fc.tuple(anyRhythm, anyIndex), besideChange);

/** The date `count` intervals later, found by counting days, independent of the code under test. */
const dateAfter = (first: string, interval: Rhythm["interval"], count: number) => {
  const date = new Date(`${first}T00:00:00Z`);
  const wanted = date.getUTCDate();
  const next = () => date.setUTCDate(date.getUTCDate() + 1);
  if (interval === "day" || interval === "week") {
    for (let days = interval === "day" ? count : 7 * count; days > 0; days -= 1) next();
    return date.toISOString().slice(0, 10);
  }
  for (let months = interval === "month" ? count : 12 * count; months > 0; months -= 1)
    do next();
    while (date.getUTCDate() !== 1);
  const month = date.getUTCMonth();
  while (date.getUTCDate() < wanted && date.getUTCMonth() === month) next();
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.toISOString().slice(0, 10);
};

/** The first time at which local clocks show `wanted` or later, found by searching. */
const firstShowing = (zone: string, wanted: string) => {
  let at = Date.parse(`${wanted.replace(" ", "T")}Z`) - dayMs;
  while (shownIn(zone, at) < wanted) at += hourMs;
  // If clocks were set back, they may have shown it hours earlier.
  at -= 4 * hourMs;
  while (shownIn(zone, at) < wanted) at += minuteMs;
  at -= minuteMs;
  while (shownIn(zone, at) < wanted) at += secondMs;
  return new Date(at);
};

test("the sample has clock changes in more than a hundred zones", () => {
  expect(changing.length).toBeGreaterThan(100);
  expect(changing).toContain("Europe/Lisbon");
  expect(changing).not.toContain("Asia/Tokyo");
});

test("a period starts at the local date and time of its zone", () => {
  fc.assert(
    fc.property(anyPeriod, ([rhythm, index]) => {
      const [date = "", time] = shownIn(rhythm.zone, rhythm.anchor.getTime()).split(" ");
      const later = dateAfter(date, rhythm.interval, index * rhythm.intervalCount);
      const begins = firstShowing(rhythm.zone, `${later} ${time}`);
      expect(periodAt(rhythm, index).start).toEqual(begins);
    }),
    { numRuns },
  );
});

test("periods have no gaps or overlaps, and every moment belongs to one", () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(anyPeriod, share, ([rhythm, index], part) => {
      const [before, { start, end }] = [periodAt(rhythm, index - 1), periodAt(rhythm, index)];
      expect(before.end).toEqual(start);
      expect(start < end).toBe(true);
      const within = start.getTime() + Math.floor((end.getTime() - start.getTime()) * part);
      for (const at of [start, new Date(within), new Date(end.getTime() - 1)])
        expect(indexOfPeriod(rhythm, at)).toBe(index);
    }),
    { numRuns },
  );
});

test("the first period starts at its anchor, and later ones do not drift", () => {
  fc.assert(
    fc.property(anyRhythm, fc.integer({ min: 0, max: 600 }), (rhythm, index) => {
      const monthly = { ...rhythm, interval: "month", intervalCount: 1 } as const;
      expect(periodAt(monthly, 0).start).toEqual(rhythm.anchor);
      const start = shownIn(rhythm.zone, periodAt(monthly, index).start.getTime());
      const day = Number(shownIn(rhythm.zone, rhythm.anchor.getTime()).slice(8, 10));
      const [year = 0, month = 0] = start.split("-").map(Number);
      const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
      expect(Number(start.slice(8, 10))).toBe(Math.min(day, last));
    }),
    { numRuns },
  );
});
