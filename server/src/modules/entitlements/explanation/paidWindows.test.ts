import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { histories, intervals, lastOf, statesOf } from "../testing/paidHistories.testing.ts";
import { type PaidPeriod, type PaidTime, paidWindowAt } from "./paidWindows.ts";

const zone = "Europe/Berlin";

type Given = Partial<Pick<PaidTime, "interval" | "intervalCount">> & {
  periods: readonly (readonly [start: string, end: string, kind?: PaidPeriod["kind"]])[];
  pauses?: readonly (readonly [string, string])[];
  endedAt?: string;
};

const paidOf = ({ periods, pauses = [], endedAt, ...own }: Given): PaidTime => ({
  subscriptionId: "s",
  package: "Studio",
  interval: "month",
  intervalCount: 1,
  ...own,
  endedAt: endedAt === undefined ? null : new Date(endedAt),
  periods: periods.map(([start, end, kind = "paid"]) => ({
    start: new Date(start),
    end: new Date(end),
    kind,
  })),
  pauses: pauses.map(([start, end]) => ({ start: new Date(start), end: new Date(end) })),
});

const november = ["2026-11-07T10:00:00Z", "2026-12-07T10:00:00Z"] as const;
const ofNovember = { periods: [november] };
const ofJanuary31 = {
  periods: [
    ["2026-01-31T08:00:00Z", "2026-02-28T08:00:00Z"],
    ["2026-02-28T08:00:00Z", "2026-03-31T07:00:00Z"],
  ],
} as const;
const yearly = {
  periods: [["2026-01-31T08:00:00Z", "2027-01-31T08:00:00Z"]],
  interval: "year",
} as const;
const paused = {
  periods: [["2026-11-07T10:00:00Z", "2026-12-17T10:00:00Z"]],
  pauses: [["2026-11-10T10:00:00Z", "2026-11-20T10:00:00Z"]],
} as const;
const added = "added";
const extended = { periods: [november, [november[1], "2026-12-17T10:00:00Z", added]] } as const;
const paidAhead = {
  periods: [...extended.periods, ["2026-12-17T10:00:00Z", "2027-01-17T10:00:00Z"]],
} as const;
const overdue = { periods: [november, [november[1], "2026-12-12T10:00:00Z", "overdue"]] } as const;
const soldWithTrial = {
  periods: [
    ["2026-11-01T10:00:00Z", "2026-11-15T10:00:00Z"],
    ["2026-11-15T10:00:00Z", "2026-12-15T10:00:00Z"],
  ],
} as const;

test.each([
  ["the paid month", "month", ofNovember, "2026-11-20T00:00:00Z", ...november],
  [
    "the grace period, as the next month",
    "month",
    ofNovember,
    "2026-12-07T10:00:00Z",
    "2026-12-07T10:00:00Z",
    "2027-01-07T10:00:00Z",
  ],
  [
    "a late event before the first period, in the month before",
    "month",
    ofNovember,
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
    "the day of a pause, which ends that much later",
    "day",
    paused,
    "2026-11-20T12:00:00Z",
    "2026-11-10T10:00:00Z",
    "2026-11-21T10:00:00Z",
  ],
  [
    "a week after a pause, which it moves",
    "week",
    paused,
    "2026-11-26T00:00:00Z",
    "2026-11-24T10:00:00Z",
    "2026-12-01T10:00:00Z",
  ],
  [
    "the month that added days make longer",
    "month",
    extended,
    "2026-12-10T00:00:00Z",
    "2026-11-07T10:00:00Z",
    "2026-12-17T10:00:00Z",
  ],
  [
    "the same month when the next one is paid in advance",
    "month",
    paidAhead,
    "2026-11-20T00:00:00Z",
    "2026-11-07T10:00:00Z",
    "2026-12-17T10:00:00Z",
  ],
  [
    "a whole week of added days",
    "week",
    extended,
    "2026-12-08T00:00:00Z",
    "2026-12-07T10:00:00Z",
    "2026-12-17T10:00:00Z",
  ],
  [
    "days that were added when the payment was overdue, as the next month",
    "month",
    overdue,
    "2026-12-13T00:00:00Z",
    "2026-12-07T10:00:00Z",
    "2027-01-07T10:00:00Z",
  ],
  [
    "the free days of a sale",
    "month",
    soldWithTrial,
    "2026-11-10T00:00:00Z",
    "2026-11-01T10:00:00Z",
    "2026-11-15T10:00:00Z",
  ],
  [
    "the paid days after them",
    "month",
    soldWithTrial,
    "2026-11-20T00:00:00Z",
    "2026-11-15T10:00:00Z",
    "2026-12-15T10:00:00Z",
  ],
  [
    "a year of monthly payments, from the start of the subscription",
    "year",
    { periods: [["2026-03-07T10:00:00Z", "2026-04-07T09:00:00Z"], november] },
    "2026-11-20T00:00:00Z",
    "2026-03-07T10:00:00Z",
    "2027-03-07T10:00:00Z",
  ],
  [
    "a month of four paid weeks",
    "month",
    {
      periods: [["2026-11-02T08:00:00Z", "2026-11-30T08:00:00Z"]],
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
    ofNovember,
    "2026-12-06T00:00:00Z",
    "2026-11-28T10:00:00Z",
    "2026-12-07T10:00:00Z",
  ],
  [
    "a window that ends with its subscription",
    "month",
    { ...ofNovember, endedAt: "2026-11-20T10:00:00Z" },
    "2026-11-10T00:00:00Z",
    "2026-11-07T10:00:00Z",
    "2026-11-20T10:00:00Z",
  ],
  [
    "a day over the end of daylight saving time, with 25 hours",
    "day",
    { periods: [["2026-10-07T10:00:00Z", "2026-11-07T11:00:00Z"]] },
    "2026-10-25T10:30:00Z",
    "2026-10-24T10:00:00Z",
    "2026-10-25T11:00:00Z",
  ],
] as const)("counts in %s", (_, reset, given, at, start, end) => {
  expect(paidWindowAt(reset, new Date(at), zone, paidOf(given))).toEqual({
    start: new Date(start),
    end: new Date(end),
  });
});

test("windows follow each other without gaps, and contain the moments they are asked for", () => {
  fc.assert(
    fc.property(
      histories,
      fc.constantFrom(...intervals),
      fc.integer({ min: -100, max: 200 }),
      (history, reset, percent) => {
        const { paid } = statesOf(history).at(-1) ?? statesOf(history)[0];
        const lastEnd = lastOf(paid).end;
        const at = new Date(+history.anchor + ((+lastEnd - +history.anchor) * percent) / 100);
        const { start, end } = paidWindowAt(reset, at, history.zone, paid);
        expect(start <= at && at < end).toBe(true);
        // The same window for all of its moments, and the next one starts where it ends.
        expect(paidWindowAt(reset, start, history.zone, paid)).toEqual({ start, end });
        expect(paidWindowAt(reset, new Date(+end - 1), history.zone, paid)).toEqual({ start, end });
        expect(paidWindowAt(reset, end, history.zone, paid).start).toEqual(end);
      },
    ),
    { numRuns: sized({ gate: 300, nightly: 20_000 }) },
  );
});

test("I10 no window of the past or the present starts again, whatever is done with the subscription", () => {
  fc.assert(
    fc.property(
      histories,
      fc.constantFrom(...intervals),
      fc.integer({ min: 0, max: 100 }),
      (history, reset, percent) => {
        const states = statesOf(history);
        const changes = states.slice(1).map((after, index) => ({ after, before: states[index] }));
        for (const { before = states[0], after } of changes) {
          const asked = new Date(
            +history.anchor + ((+before.now - +history.anchor) * percent) / 100,
          );
          // A renewal that is paid after its own period is over is followed by another boundary.
          const moments = [asked, after.changedAt].filter((at) => at < lastOf(after.paid).end);
          for (const at of moments) {
            const was = paidWindowAt(reset, at, history.zone, before.paid);
            const is = paidWindowAt(reset, at, history.zone, after.paid);
            expect(+is.start).toBeLessThanOrEqual(+was.start);
            // The renewal of an overdue one has a last window, which may be longer than the one before it was paid.
            if (lastOf(before.paid).kind !== "overdue") expect(is.start).toEqual(was.start);
            expect(is.end > at).toBe(true);
          }
        }
      },
    ),
    { numRuns: sized({ gate: 300, nightly: 20_000 }) },
  );
});
