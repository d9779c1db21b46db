import type { Price } from "@purser/contract/packages/prices";
import { formatsByZone } from "./formatsByZone.ts";

/** `[start, end)`. */
export type Period = { start: Date; end: Date };

/** A billing cycle: every `intervalCount` intervals from the anchor, in local time of the zone. */
export type Rhythm = {
  anchor: Date;
  interval: Exclude<Price["interval"], "once">;
  intervalCount: number;
  zone: string;
};

const dayMs = 86_400_000;

const formatIn = formatsByZone({
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  fractionalSecondDigits: 3,
});

/** The local time in a zone, as the timestamp at which UTC shows the same time. */
const clockAt = (moment: number, zone: string) => {
  const parts = formatIn(zone).formatToParts(moment);
  const of = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value);
  return Date.UTC(
    of("year"),
    of("month") - 1,
    of("day"),
    of("hour"),
    of("minute"),
    of("second"),
    of("fractionalSecond"),
  );
};

/** The moment between `from` (exclusive) and `to` (inclusive) at which clocks are set forward. */
const changeBetween = (from: number, to: number, zone: string) => {
  const offset = clockAt(from, zone) - from;
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (clockAt(middle, zone) - middle === offset) before = middle;
    else after = middle;
  }
  return after;
};

/**
 * The moment of a local time: the first of two where clocks are set back, and the change itself where they are set
 * forward and skip this time.
 */
const momentOf = (clock: number, zone: string) => {
  // No zone is a whole day away from UTC, so a relevant change lies between these two.
  const byOffsetAt = (near: number) => clock - (clockAt(near, zone) - near);
  const [early, late] = [byOffsetAt(clock - dayMs), byOffsetAt(clock + dayMs)];
  if (clockAt(early, zone) === clock) return early;
  if (clockAt(late, zone) === clock) return late;
  return changeBetween(late, early, zone);
};

const plusMonths = (clock: number, months: number) => {
  const date = new Date(clock);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return date.setUTCFullYear(year, month, Math.min(date.getUTCDate(), lastDay));
};

const plus = (clock: number, interval: Rhythm["interval"], count: number) => {
  switch (interval) {
    case "day":
      return clock + count * dayMs;
    case "week":
      return clock + count * 7 * dayMs;
    case "month":
      return plusMonths(clock, count);
    case "year":
      return plusMonths(clock, count * 12);
  }
};

/** Counted from the anchor instead of the previous period, so that the 31st returns after February. */
const startOf = ({ anchor, interval, intervalCount, zone }: Rhythm, index: number) => {
  // The anchor may be the second of two moments with the same local time.
  if (index === 0) return anchor;
  const clock = plus(clockAt(anchor.getTime(), zone), interval, index * intervalCount);
  return new Date(momentOf(clock, zone));
};

/** Period 0 starts at the anchor. */
export const periodAt = (rhythm: Rhythm, index: number): Period => ({
  start: startOf(rhythm, index),
  end: startOf(rhythm, index + 1),
});

const meanDays = { day: 1, week: 7, month: 365.2425 / 12, year: 365.2425 };

/** The index of the period that contains a moment; negative before the anchor. */
export const indexOfPeriod = (rhythm: Rhythm, at: Date) => {
  const meanMs = rhythm.intervalCount * meanDays[rhythm.interval] * dayMs;
  let index = Math.floor((at.getTime() - rhythm.anchor.getTime()) / meanMs);
  while (startOf(rhythm, index) > at) index -= 1;
  while (startOf(rhythm, index + 1) <= at) index += 1;
  return index;
};

/** The same local time some days later. */
export const addDays = (at: Date, days: number, zone: string) =>
  startOf({ anchor: at, interval: "day", intervalCount: 1, zone }, days);

export const addYears = (at: Date, years: number, zone: string) =>
  startOf({ anchor: at, interval: "year", intervalCount: 1, zone }, years);

/** The day in a zone, as `2026-01-31`. */
export const localDateOf = (at: Date, zone: string) =>
  new Date(clockAt(at.getTime(), zone)).toISOString().slice(0, 10);

/** A resumed period lasts as long as the paused one had left, and the next is counted from its end. */
export const resumedAt = (
  { periodEnd, pausedAt }: { periodEnd: Date; pausedAt: Date | null },
  at: Date,
) => {
  const end = new Date(+periodEnd + (+at - +(pausedAt ?? at)));
  return { periodEnd: end, anchor: end, periodNumber: -1 };
};

/** The first moment of a day such as `2026-01-31` in a zone. */
export const startOfLocalDay = (day: string, zone: string) =>
  new Date(momentOf(Date.parse(`${day}T00:00:00Z`), zone));

/** The start of the hour in a zone. Some zones are half an hour apart from UTC. */
export const startOfHour = (at: Date, zone: string) => {
  const intoHour = clockAt(at.getTime(), zone) % 3_600_000;
  return new Date(at.getTime() - intoHour);
};
