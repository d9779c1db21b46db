import type { Interval } from "./history.testing.ts";

// Periods, paid time and its value, found by walking through them step by step. Nothing here comes from the product.

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];

const clocks = new Map<string, Intl.DateTimeFormat>();
const shown = new Map<string, string>();

/** The local time in a zone, such as "2027-03-28 03:00:00". */
const localTime = (zone: string, at: number) => {
  const key = `${zone} ${at}`;
  const known = shown.get(key);
  if (known !== undefined) return known;
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  clocks.set(zone, clock);
  const time = clock.format(at);
  if (shown.size > 20_000) shown.clear();
  shown.set(key, time);
  return time;
};

const aheadAt = (zone: string, second: number) =>
  Date.parse(`${localTime(zone, second).replace(" ", "T")}Z`) - second;

/** The first moment at which local clocks show a time, or at which they skip it. */
const firstShowing = (zone: string, wanted: string, milliseconds: number) => {
  const middle = Date.parse(`${wanted.replace(" ", "T")}Z`);
  const [before, after] = [aheadAt(zone, middle - dayMs), aheadAt(zone, middle + dayMs)];
  const candidates = [middle - before, middle - after].sort((one, other) => one - other);
  const exact = candidates.find((at) => localTime(zone, at) === wanted);
  if (exact !== undefined) return exact + milliseconds;
  let at = candidates[0] ?? middle;
  for (const step of [hourMs, minuteMs, secondMs])
    while (localTime(zone, at + step) < wanted) at += step;
  return at + secondMs;
};

const toNextDay = (date: Date) => date.setUTCDate(date.getUTCDate() + 1);

const toNextMonth = (date: Date) => {
  do toNextDay(date);
  while (date.getUTCDate() !== 1);
};

/** Counted day by day. In a month without this day it is the last one. */
const dateAfter = (first: string, interval: Exclude<Interval, "once">, count: number) => {
  const date = new Date(`${first}T00:00:00Z`);
  const wanted = date.getUTCDate();
  const toNext = interval === "day" || interval === "week" ? toNextDay : toNextMonth;
  const times = { day: 1, week: 7, month: 1, year: 12 }[interval];
  for (let left = times * count; left > 0; left -= 1) toNext(date);
  const month = date.getUTCMonth();
  while (toNext === toNextMonth && date.getUTCDate() < wanted && date.getUTCMonth() === month)
    toNextDay(date);
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.toISOString().slice(0, 10);
};

/** The same local time so many intervals later. */
export const later = (
  zone: string,
  from: number,
  interval: Exclude<Interval, "once">,
  count: number,
) => {
  if (count === 0) return from;
  const milliseconds = from % secondMs;
  const [date = "", time] = localTime(zone, from - milliseconds).split(" ");
  return firstShowing(zone, `${dateAfter(date, interval, count)} ${time}`, milliseconds);
};

/** Walks from one moment to another in days, then hours, down to milliseconds, and counts the steps. */
const walk = (from: number, to: number) => {
  let at = from;
  return [dayMs, hourMs, minuteMs, secondMs, 1].map((step) => {
    let count = 0;
    for (; at + step <= to; at += step) count += 1;
    return { step, count };
  });
};

const lengthOf = (from: number, to: number) =>
  walk(from, to).reduce((sum, { step, count }) => sum + step * count, 0);

export type Stop = { from: number; until: number | null };

/** What a clock shows that stands still at every stop. Stops are in order, and the last one may have no end. */
export const clockAt = (at: number, since: number, stops: readonly Stop[]) => {
  if (at <= since) return at;
  let [moment, clock] = [since, since];
  for (const { from, until } of stops) {
    clock += lengthOf(moment, Math.min(from, at));
    moment = Math.max(moment, Math.min(until ?? at, at));
  }
  return clock + lengthOf(moment, at);
};

export const roundHalfUp = (amount: bigint, divisor: bigint) => {
  const whole = amount / divisor;
  return 2n * (amount % divisor) >= divisor ? whole + 1n : whole;
};

/** The value of the time up to a moment, of a value that accrues evenly. */
export const accrued = (value: bigint, begins: number, ends: number, until: number) => {
  let sum = 0n;
  for (const { step, count } of walk(begins, until)) sum += value * BigInt(step * count);
  return roundHalfUp(sum, BigInt(ends - begins));
};
