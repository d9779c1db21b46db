import type { Price } from "@purser/contract/packages/prices";

/** `[start, end)`. */
export type Period = { start: Date; end: Date };

/** When something is billed: every so many intervals from the anchor on, by the clocks of a zone. */
export type Rhythm = {
  anchor: Date;
  interval: Exclude<Price["interval"], "once">;
  intervalCount: number;
  zone: string;
};

const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (zone: string) => {
  const known =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      fractionalSecondDigits: 3,
    });
  formats.set(zone, known);
  return known;
};

/** What clocks in a zone show at a moment, as the moment at which clocks in UTC show the same. */
const clockAt = (moment: number, zone: string) => {
  const parts = formatOf(zone).formatToParts(moment);
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

/** The moment at which clocks in a zone are set forward, which happens after `from` and not after `to`. */
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
 * The moment at which clocks in a zone show this: the first of two where they are set back, and the
 * change itself where they are set forward and leave it out.
 */
const momentOf = (clock: number, zone: string) => {
  // No zone is a whole day from UTC, so a change that matters lies between these two.
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

/** Counted from the anchor, never from the period before: the 31st comes back after February. */
const startOf = ({ anchor, interval, intervalCount, zone }: Rhythm, index: number) => {
  // The anchor may be the second of two moments at which clocks show the same.
  if (index === 0) return anchor;
  const clock = plus(clockAt(anchor.getTime(), zone), interval, index * intervalCount);
  return new Date(momentOf(clock, zone));
};

/** The period of that index; the one that begins at the anchor is 0. */
export const periodAt = (rhythm: Rhythm, index: number): Period => ({
  start: startOf(rhythm, index),
  end: startOf(rhythm, index + 1),
});

const meanDays = { day: 1, week: 7, month: 365.2425 / 12, year: 365.2425 };

/** The index of the period that a moment lies in; below 0 before the anchor. */
export const indexOfPeriod = (rhythm: Rhythm, at: Date) => {
  const meanMs = rhythm.intervalCount * meanDays[rhythm.interval] * dayMs;
  let index = Math.floor((at.getTime() - rhythm.anchor.getTime()) / meanMs);
  while (startOf(rhythm, index) > at) index -= 1;
  while (startOf(rhythm, index + 1) <= at) index += 1;
  return index;
};

/** The same time of day so many days later, by the clocks of a zone. */
export const addDays = (at: Date, days: number, zone: string) =>
  startOf({ anchor: at, interval: "day", intervalCount: 1, zone }, days);

const secondOf = (at: Date) => BigInt(Math.floor(at.getTime() / 1000));

/** What of an amount is for the rest of its period, by the second; half a minor unit counts as one. */
export const proRata = ({ amount, period, at }: { amount: number; period: Period; at: Date }) => {
  const length = secondOf(period.end) - secondOf(period.start);
  const rest = secondOf(period.end) - secondOf(at);
  if (rest <= 0n) return 0;
  if (rest >= length) return amount;
  return Number((2n * BigInt(amount) * rest + length) / (2n * length));
};

/** A paused period goes on with what was left of it; the next one is counted from its end. */
export const resumedAt = (
  { periodEnd, pausedAt }: { periodEnd: Date; pausedAt: Date | null },
  at: Date,
) => {
  const end = new Date(+periodEnd + (+at - +(pausedAt ?? at)));
  return { periodEnd: end, anchor: end, periodNumber: -1 };
};
