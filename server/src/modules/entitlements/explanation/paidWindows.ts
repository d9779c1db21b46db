import type { Price } from "@purser/contract/packages/prices";
import { indexOfPeriod, type Period, periodAt, type Rhythm } from "#platform/periods.ts";

/** The paid period of the subscription that an allowance follows. */
export type PaidPeriod = {
  subscriptionId: string;
  /** The name of its package. */
  package: string;
  /** When the subscription started. */
  startedAt: Date;
  /** What its periods are counted from: their start, or the end of a trial, a pause or an extension. */
  anchor: Date;
  /** The current period, which a pause or an extension makes longer. */
  start: Date;
  end: Date;
  /** How it is billed. Null if it isn't known. */
  interval: Price["interval"] | null;
  intervalCount: number | null;
};

type Reset = Rhythm["interval"];

const dayMs = 86_400_000;

const meanDays = { day: 1, week: 7, month: 365.2425 / 12, year: 365.2425 };

const billedDays = ({ interval, intervalCount, start, end }: PaidPeriod) =>
  interval === null || interval === "once"
    ? (+end - +start) / dayMs
    : meanDays[interval] * (intervalCount ?? 1);

/** Four weeks and a month are about as long. */
const tolerance = 1.15;

const isLonger = (reset: Reset, paid: PaidPeriod) => meanDays[reset] > billedDays(paid) * tolerance;

/**
 * Parts of a paid period that are at least as long as the reset. What is left at its end belongs to the last of them, so
 * that a pause or an extension never adds an allowance for a few days.
 */
const partAt = (rhythm: Rhythm, end: Date, at: Date): Period => {
  const isWhole = (index: number) => index === 0 || periodAt(rhythm, index).end <= end;
  const found = indexOfPeriod(rhythm, at);
  const index = isWhole(found) ? found : found - 1;
  const { start, end: ownEnd } = periodAt(rhythm, index);
  return { start, end: isWhole(index + 1) && ownEnd < end ? ownEnd : end };
};

/** The part of the current period. Free days before the first payment are a period of their own. */
const currentAt = (reset: Reset, at: Date, zone: string, { anchor, start, end }: PaidPeriod) => {
  const isFree = start < anchor && anchor < end;
  const [from, until] = isFree && at >= anchor ? [anchor, end] : [start, isFree ? anchor : end];
  return partAt({ anchor: from, interval: reset, intervalCount: 1, zone }, until, at);
};

/** What is counted before the current period: the same parts, backward. */
const earlierAt = (reset: Reset, at: Date, zone: string, { anchor, start }: PaidPeriod) => {
  const rhythm = { anchor, interval: reset, intervalCount: 1, zone };
  const isOnRhythm = +periodAt(rhythm, indexOfPeriod(rhythm, start)).start === +start;
  const fitting = isOnRhythm ? rhythm : { ...rhythm, anchor: start };
  return periodAt(fitting, indexOfPeriod(fitting, at));
};

/**
 * The period in which usage is counted for a subscription. Its start never moves while the period lasts, because counters
 * are found by it. An allowance that lasts longer than a paid period is counted from the start of the subscription.
 */
export const paidWindowAt = (reset: Reset, at: Date, zone: string, paid: PaidPeriod): Period => {
  const periodsFrom = (anchor: Date) => {
    const rhythm = { anchor, interval: reset, intervalCount: 1, zone };
    return periodAt(rhythm, indexOfPeriod(rhythm, at));
  };
  if (isLonger(reset, paid)) return periodsFrom(paid.startedAt);
  if (at < paid.start) return earlierAt(reset, at, zone, paid);
  // In its grace period a subscription is counted as if it had renewed. The renewal starts at the same moment.
  return at < paid.end ? currentAt(reset, at, zone, paid) : periodsFrom(paid.end);
};
