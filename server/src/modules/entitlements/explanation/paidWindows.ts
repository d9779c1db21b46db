import type { Price } from "@purser/contract/packages/prices";
import { indexOfPeriod, type Period, periodAt, type Rhythm } from "#platform/periods.ts";

/**
 * A paid period or free days, days that were added to it, or days that were added when it was over, so that the next one
 * had started.
 */
export type PaidPeriod = Period & { kind: "paid" | "added" | "overdue" };

/** The periods of the subscription that an allowance follows. */
export type PaidTime = {
  subscriptionId: string;
  /** The name of its package. */
  package: string;
  /** How it is billed. Null if it isn't known. */
  interval: Price["interval"] | null;
  intervalCount: number | null;
  endedAt: Date | null;
  /** In their order, from the first one. Those that are paid in advance are included. */
  periods: readonly PaidPeriod[];
  /** In their order. The periods are longer by them. */
  pauses: readonly Period[];
};

type Reset = Rhythm["interval"];

const dayMs = 86_400_000;

const meanDays = { day: 1, week: 7, month: 365.2425 / 12, year: 365.2425 };

const billedDays = ({ interval, intervalCount, periods }: PaidTime) => {
  if (interval !== null && interval !== "once") return meanDays[interval] * (intervalCount ?? 1);
  const [first] = periods;
  return first ? (+first.end - +first.start) / dayMs : 0;
};

/** Four weeks and a month are about as long. */
const tolerance = 1.15;

const isLonger = (reset: Reset, paid: PaidTime) => meanDays[reset] > billedDays(paid) * tolerance;

/** A whole period of the reset, counted from a moment. */
const wholeAt = (rhythm: Rhythm, at: Date) => periodAt(rhythm, indexOfPeriod(rhythm, at));

/**
 * Parts of a period that are at least as long as the reset. What is left at its end belongs to the last of them, so that
 * a few days never have an allowance of their own.
 */
const partAt = (rhythm: Rhythm, end: Date, at: Date): Period => {
  const isWhole = (index: number) => index === 0 || periodAt(rhythm, index).end <= end;
  const found = indexOfPeriod(rhythm, at);
  const index = isWhole(found) ? found : found - 1;
  const { start, end: ownEnd } = periodAt(rhythm, index);
  return { start, end: isWhole(index + 1) && ownEnd < end ? ownEnd : end };
};

type Rules = { reset: Reset; zone: string; pauses: readonly Period[] };

const rhythmFrom = (anchor: Date, { reset, zone }: Rules): Rhythm => ({
  anchor,
  interval: reset,
  intervalCount: 1,
  zone,
});

/** The moments of a period as if it had no pauses, and back. */
const withoutPauses = (period: Period, { pauses }: Rules) => {
  const own = pauses.filter(({ start }) => start >= period.start && start < period.end);
  const pausedMs = (at: Date) =>
    own
      .filter(({ start }) => start < at)
      .reduce((sum, { start, end }) => sum + (Math.min(+end, +at) - +start), 0);
  return {
    to: (at: Date) => new Date(+at - pausedMs(at)),
    back: (at: Date) =>
      new Date(
        own.reduce((moment, { start, end }) => moment + (+start < moment ? +end - +start : 0), +at),
      ),
  };
};

/** The part of a period. A pause makes the part longer in which it is, and moves those after it. */
const partOf = (period: Period, at: Date, rules: Rules): Period => {
  const { to, back } = withoutPauses(period, rules);
  const { start, end } = partAt(rhythmFrom(period.start, rules), to(period.end), to(at));
  return { start: back(start), end: back(end) };
};

/** Added days that have no allowance of their own. */
const isTooShort = (period: PaidPeriod, rules: Rules) =>
  period.kind === "added" &&
  periodAt(rhythmFrom(period.start, rules), 0).end > withoutPauses(period, rules).to(period.end);

/** The window in one of the periods, with the added days after it that are too short for another one. */
const windowIn = (
  periods: readonly PaidPeriod[],
  period: PaidPeriod,
  at: Date,
  rules: Rules,
): Period => {
  const index = periods.indexOf(period);
  const before = periods[index - 1];
  if (before && isTooShort(period, rules))
    return windowIn(periods, before, new Date(+before.end - 1), rules);
  const part = partOf(period, at, rules);
  if (+part.end < +period.end) return part;
  const next = periods.slice(index + 1);
  const found = next.findIndex((one) => !isTooShort(one, rules));
  const added = next.slice(0, found === -1 ? next.length : found).at(-1);
  return { start: part.start, end: added?.end ?? part.end };
};

const windowOf = ({ periods }: PaidTime, at: Date, rules: Rules): Period => {
  const [first] = periods;
  const period = periods.findLast(({ start }) => start <= at);
  if (!first) throw new Error("A subscription has at least one period.");
  if (!period) return wholeAt(rhythmFrom(first.start, rules), at);
  if (period.kind !== "overdue" && at < period.end) return windowIn(periods, period, at, rules);
  // In its grace period a subscription is counted as if it had renewed. The renewal starts at the same moment.
  return wholeAt(rhythmFrom(period.kind === "overdue" ? period.start : period.end, rules), at);
};

/**
 * The window in which usage is counted for a subscription. Periods are only added, and get longer while they last or
 * before they do, so a window that has started never starts again. An allowance that lasts longer than a paid period is
 * counted from the start of the subscription.
 */
export const paidWindowAt = (reset: Reset, at: Date, zone: string, paid: PaidTime): Period => {
  const rules = { reset, zone, pauses: paid.pauses };
  const [first] = paid.periods;
  const window =
    first && isLonger(reset, paid)
      ? wholeAt(rhythmFrom(first.start, rules), at)
      : windowOf(paid, at, rules);
  const { endedAt } = paid;
  return endedAt && at < endedAt && endedAt < window.end ? { ...window, end: endedAt } : window;
};
