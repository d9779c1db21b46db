import fc from "fast-check";
import { expect, test } from "vitest";
import { periodAt } from "#platform/periods.ts";
import { sized } from "#runs.testing.ts";
import { type PaidPeriod, paidWindowAt } from "./paidWindows.ts";

const zone = "Europe/Berlin";
const day = 86_400_000;

type Period = Partial<Omit<PaidPeriod, "start" | "end" | "anchor" | "startedAt">> & {
  start: string;
  end: string;
  anchor?: string;
  startedAt?: string;
};

const paidOf = ({ start, end, anchor = start, startedAt = start, ...own }: Period): PaidPeriod => ({
  subscriptionId: "s",
  package: "Studio",
  interval: "month",
  intervalCount: 1,
  ...own,
  start: new Date(start),
  end: new Date(end),
  anchor: new Date(anchor),
  startedAt: new Date(startedAt),
});

const november = { start: "2026-11-07T10:00:00Z", end: "2026-12-07T10:00:00Z" };
const ofJanuary31 = {
  anchor: "2026-01-31T08:00:00Z",
  start: "2026-02-28T08:00:00Z",
  end: "2026-03-31T07:00:00Z",
};
const yearly = { start: "2026-01-31T08:00:00Z", end: "2027-01-31T08:00:00Z", interval: "year" };
const paused = { ...november, end: "2026-12-17T10:00:00Z", anchor: "2026-12-17T10:00:00Z" };
const trial = { start: "2026-11-01T10:00:00Z", end: "2026-11-15T10:00:00Z" };
const soldWithTrial = {
  start: "2026-11-01T10:00:00Z",
  anchor: "2026-11-15T10:00:00Z",
  end: "2026-12-15T10:00:00Z",
};

test.each([
  ["the paid month", "month", november, "2026-11-20T00:00:00Z", november.start, november.end],
  [
    "the grace period, as the next month",
    "month",
    november,
    "2026-12-07T10:00:00Z",
    "2026-12-07T10:00:00Z",
    "2027-01-07T10:00:00Z",
  ],
  [
    "a late event, in the month before",
    "month",
    november,
    "2026-11-07T09:59:59Z",
    "2026-10-07T09:00:00Z",
    "2026-11-07T10:00:00Z",
  ],
  [
    "February of a subscription from January 31",
    "month",
    ofJanuary31,
    "2026-03-30T00:00:00Z",
    "2026-02-28T08:00:00Z",
    "2026-03-31T07:00:00Z",
  ],
  [
    "a late event before February, in the days from January 31",
    "month",
    ofJanuary31,
    "2026-02-27T00:00:00Z",
    "2026-01-31T08:00:00Z",
    "2026-02-28T08:00:00Z",
  ],
  [
    "a month of a paid year, with the 31st after February",
    "month",
    yearly,
    "2026-04-01T00:00:00Z",
    "2026-03-31T07:00:00Z",
    "2026-04-30T07:00:00Z",
  ],
  [
    "the last month of a paid year",
    "month",
    yearly,
    "2027-01-01T00:00:00Z",
    "2026-12-31T08:00:00Z",
    "2027-01-31T08:00:00Z",
  ],
  [
    "a period that a pause made longer",
    "month",
    paused,
    "2026-12-10T00:00:00Z",
    "2026-11-07T10:00:00Z",
    "2026-12-17T10:00:00Z",
  ],
  [
    "a trial",
    "month",
    { ...trial, anchor: trial.end },
    "2026-11-10T00:00:00Z",
    trial.start,
    trial.end,
  ],
  [
    "the free days of a sale",
    "month",
    soldWithTrial,
    "2026-11-10T00:00:00Z",
    soldWithTrial.start,
    soldWithTrial.anchor,
  ],
  [
    "the paid days after them",
    "month",
    soldWithTrial,
    "2026-11-20T00:00:00Z",
    soldWithTrial.anchor,
    soldWithTrial.end,
  ],
  [
    "a year of monthly payments, from the start of the subscription",
    "year",
    { ...november, startedAt: "2026-03-07T10:00:00Z" },
    "2026-11-20T00:00:00Z",
    "2026-03-07T10:00:00Z",
    "2027-03-07T10:00:00Z",
  ],
  [
    "a month of four paid weeks",
    "month",
    {
      start: "2026-11-02T08:00:00Z",
      end: "2026-11-30T08:00:00Z",
      interval: "week",
      intervalCount: 4,
    },
    "2026-11-20T00:00:00Z",
    "2026-11-02T08:00:00Z",
    "2026-11-30T08:00:00Z",
  ],
  [
    "a week, of which the last one is longer",
    "week",
    november,
    "2026-12-06T00:00:00Z",
    "2026-11-28T10:00:00Z",
    "2026-12-07T10:00:00Z",
  ],
  [
    "a day over the end of daylight saving time, with 25 hours",
    "day",
    { start: "2026-10-07T10:00:00Z", end: "2026-11-07T11:00:00Z" },
    "2026-10-25T10:30:00Z",
    "2026-10-24T10:00:00Z",
    "2026-10-25T11:00:00Z",
  ],
] as const)("counts in %s", (_, reset, period, at, start, end) => {
  expect(paidWindowAt(reset, new Date(at), zone, paidOf(period as Period))).toEqual({
    start: new Date(start),
    end: new Date(end),
  });
});

const intervals = ["day", "week", "month", "year"] as const;
const periods = fc
  .record({
    anchor: fc.date({
      min: new Date("2024-01-01T00:00:00Z"),
      max: new Date("2027-12-31T00:00:00Z"),
      noInvalidDate: true,
    }),
    interval: fc.constantFrom(...intervals),
    intervalCount: fc.integer({ min: 1, max: 4 }),
    nth: fc.nat({ max: 8 }),
    zone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"),
  })
  .map(({ anchor, interval, intervalCount, nth, zone: own }) => {
    const { start, end } = periodAt({ anchor, interval, intervalCount, zone: own }, nth);
    const paid: PaidPeriod = {
      subscriptionId: "s",
      package: "Studio",
      startedAt: anchor,
      anchor,
      start,
      end,
      interval,
      intervalCount,
    };
    return { paid, zone: own };
  });

const meanDays = { once: 0, day: 1, week: 7, month: 30.4, year: 365 };

test("windows follow each other without gaps, and none is shorter than its reset", () => {
  fc.assert(
    fc.property(
      periods,
      fc.constantFrom(...intervals),
      fc.integer({ min: -100, max: 200 }),
      ({ paid, zone: own }, reset, percent) => {
        const at = new Date(+paid.start + ((+paid.end - +paid.start) * percent) / 100);
        const { start, end } = paidWindowAt(reset, at, own, paid);
        expect(start <= at && at < end).toBe(true);
        // The same window for all of its moments, and the next one starts where it ends.
        expect(paidWindowAt(reset, start, own, paid)).toEqual({ start, end });
        expect(paidWindowAt(reset, new Date(+end - 1), own, paid)).toEqual({ start, end });
        expect(paidWindowAt(reset, end, own, paid).start).toEqual(end);
        const isWhole = meanDays[reset] <= meanDays[paid.interval ?? "day"];
        if (isWhole) expect(+end - +start).toBeGreaterThan(meanDays[reset] * 0.9 * day);
      },
    ),
    { numRuns: sized({ gate: 300, nightly: 20_000 }) },
  );
});

test("a pause or an extension never starts a window anew", () => {
  fc.assert(
    fc.property(
      periods,
      fc.constantFrom(...intervals),
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 1, max: 90 }),
      ({ paid, zone: own }, reset, percent, days) => {
        const at = new Date(+paid.start + ((+paid.end - +paid.start) * percent) / 100);
        const end = new Date(+paid.end + days * day);
        const before = paidWindowAt(reset, at, own, paid);
        const after = paidWindowAt(reset, at, own, { ...paid, end, anchor: end });
        // The last window may have been longer than its reset, and is split when enough was added.
        expect(+after.start).toBeLessThanOrEqual(+at);
        expect([before.start, ...(at >= after.start ? [after.start] : [])]).toContainEqual(
          after.start,
        );
        if (+before.end < +paid.end) expect(after).toEqual(before);
      },
    ),
    { numRuns: sized({ gate: 300, nightly: 20_000 }) },
  );
});
