import type { Anchor } from "@purser/contract/fields/values";
import type { Feature } from "#modules/packages/entitle.ts";
import { indexOfPeriod, periodAt, startOfHour, startOfLocalDay } from "#platform/periods.ts";
import { type PaidTime, paidWindowAt } from "./paidWindows.ts";

export type Window = { start: Date | null; end: Date | null };

/** Without a start, usage is counted over all time. */
export const always: Window = { start: null, end: null };

// The API can't write dates after the year 9999.
const lastYear = Date.UTC(10_000, 0);

const hourMs = 3_600_000;

const calculate = (reset: "hour" | "day" | "week" | "month" | "year", at: Date, zone: string) => {
  if (reset === "hour") {
    const start = startOfHour(at, zone);
    return { start, end: new Date(start.getTime() + hourMs) };
  }
  // A Monday and the first day of a year.
  const anchor = startOfLocalDay("2001-01-01", zone);
  const rhythm = { anchor, interval: reset, intervalCount: 1, zone };
  return periodAt(rhythm, indexOfPeriod(rhythm, at));
};

// The latest window of each reset, because local time is expensive and almost all questions are about now.
const latest = new Map<string, { start: Date; end: Date }>();

const calendarWindowAt = (
  reset: "hour" | "day" | "week" | "month" | "year",
  at: Date,
  zone: string,
) => {
  const known = latest.get(`${reset} ${zone}`);
  const window = known && known.start <= at && at < known.end ? known : calculate(reset, at, zone);
  latest.set(`${reset} ${zone}`, window);
  return window;
};

type Counted = Pick<Feature, "kind" | "reset"> & { anchor?: Anchor };

/**
 * The period in which usage is counted, in the company's time zone. A feature that is aligned with the subscription
 * follows the calendar for customers without one.
 */
export const windowAt = (
  { kind, reset, anchor }: Counted,
  at: Date,
  zone: string,
  paid: PaidTime | null = null,
): Window => {
  if (kind !== "metered" || reset === null || reset === "never") return always;
  const window =
    anchor === "subscription" && paid !== null && reset !== "hour"
      ? paidWindowAt(reset, at, zone, paid)
      : calendarWindowAt(reset, at, zone);
  return window.end.getTime() < lastYear ? window : { ...window, end: null };
};

const resets = ["hour", "day", "week", "month", "year"] as const;

/** The starts of the current hour, day, week, month and year. */
export const periodStarts = (at: Date, zone: string) =>
  resets.map((reset) => windowAt({ kind: "metered", reset }, at, zone).start);
