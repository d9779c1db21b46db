import { addDays, addMonths, dayMs, firstOfMonth, timeOf } from "@purser/contract/reports/days";
import type { Measures, ReportUnit, ShareRule } from "@purser/contract/reports/endpoints";
import type { Comparison } from "@purser/contract/reports/period";
import type { MovementKind } from "@purser/contract/reports/recurring";

export type Days = { from: string; until: string };

const usualDays = 30;

/** The days of a report. Those that aren't given are the last 30 up to today, or around the given one. */
export const daysOf = (
  { from, until }: { from?: string | undefined; until?: string | undefined },
  today: string,
): Days => {
  const last = until ?? (from !== undefined && from > today ? from : today);
  return { from: from ?? addDays(last, 1 - usualDays), until: last };
};

/** The same number of days before, or the same days a year before. */
export const previousOf = ({ from, until }: Days, compare: Comparison): Days | null => {
  if (compare === "none") return null;
  if (compare === "year") return { from: addMonths(from, -12), until: addMonths(until, -12) };
  const days = (timeOf(until) - timeOf(from)) / dayMs + 1;
  return { from: addDays(from, -days), until: addDays(from, -1) };
};

/** The first day of the period with a day. Weeks start on Monday. */
export const periodOf = (day: string, unit: ReportUnit) => {
  if (unit === "day") return day;
  if (unit === "month") return firstOfMonth(day);
  return addDays(day, -((new Date(timeOf(day)).getUTCDay() + 6) % 7));
};

/** The first days of all periods. */
export const periodsOf = ({ from, until }: Days, unit: ReportUnit) => {
  const next = (day: string) =>
    unit === "month" ? addMonths(day, 1) : addDays(day, unit === "week" ? 7 : 1);
  const periods: string[] = [];
  for (let day = periodOf(from, unit); day <= until; day = next(day)) periods.push(day);
  return periods;
};

export const noMeasures: Measures = {
  payments: 0,
  refundCount: 0,
  disputeCount: 0,
  charged: 0,
  tax: 0,
  refunds: 0,
  disputes: 0,
  net: 0,
  discount: 0,
};

const names = Object.keys(noMeasures) as (keyof Measures)[];

const plus = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one + other;

export const addMeasures = (one: Measures, other: Measures): Measures =>
  Object.fromEntries(names.map((name) => [name, plus(one[name], other[name])])) as Measures;

type SharedApp = { listPrice: number | null; features: number };

/** By which weights the revenue of a package is split. Without a price or features of each app, in equal parts. */
export const weightsOf = (apps: readonly SharedApp[], rule: ShareRule): number[] => {
  const weights = apps.map(({ listPrice, features }) => {
    if (rule === "equal parts") return 1;
    return rule === "features" ? features : (listPrice ?? 0);
  });
  return weights.every((weight) => weight > 0) ? weights : apps.map(() => 1);
};

type Moved = {
  day: string;
  kind: string;
  amount: number;
  customers: number;
  /** How the number of subscribers changed. */
  subscribers: number;
};

const sumOf = (all: readonly Moved[], amountOf: (one: Moved) => number) =>
  all.reduce((sum, one) => sum + amountOf(one), 0);

/** From opening to closing, with the sum of each kind. */
const changeOf = (before: { opening: number; subscribers: number }, inside: readonly Moved[]) => {
  const of = (kind: MovementKind) => {
    const found = inside.filter((one) => one.kind === kind);
    return {
      amount: sumOf(found, ({ amount }) => amount),
      customers: sumOf(found, ({ customers }) => customers),
    };
  };
  return {
    opening: before.opening,
    openingSubscribers: before.subscribers,
    closing: before.opening + sumOf(inside, ({ amount }) => amount),
    closingSubscribers: before.subscribers + sumOf(inside, ({ subscribers }) => subscribers),
    new: of("new"),
    expansion: of("expansion"),
    reactivation: of("reactivation"),
    contraction: of("contraction"),
    churn: of("churn"),
  };
};

export type MrrChange = ReturnType<typeof changeOf>;

const openingOf = (moved: readonly Moved[]) => {
  const before = moved.filter(({ day }) => day === "");
  return {
    opening: sumOf(before, ({ amount }) => amount),
    subscribers: sumOf(before, ({ subscribers }) => subscribers),
  };
};

/** The periods from opening to closing. What is before the first day has the day ''. */
export const mrrPeriods = (moved: readonly Moved[], days: Days, unit: ReportUnit) => {
  let before = openingOf(moved);
  const periods = periodsOf(days, unit);
  return periods.map((period, place) => {
    const change = changeOf(
      before,
      moved.filter(({ day }) => day === period),
    );
    before = { opening: change.closing, subscribers: change.closingSubscribers };
    const next = periods[place + 1];
    const last = next === undefined ? days.until : addDays(next, -1);
    return {
      day: period < days.from ? days.from : period,
      until: last > days.until ? days.until : last,
      ...change,
    };
  });
};

type MovedPackage = Moved & { key: string; name: string | null };

/** Each package from opening to closing, the largest first. Those without anything in the period are left out. */
export const mrrPackages = (moved: readonly MovedPackage[]) =>
  [...Map.groupBy(moved, ({ key }) => key)]
    .map(([key, own]) => ({
      key,
      name: own[0]?.name ?? null,
      ...changeOf(
        openingOf(own),
        own.filter(({ day }) => day !== ""),
      ),
      isQuiet: own.every(({ day }) => day === ""),
    }))
    .filter(({ isQuiet, opening }) => !isQuiet || opening !== 0)
    .map(({ isQuiet: _isQuiet, ...one }) => one)
    .toSorted((one, other) => other.closing - one.closing || (one.key < other.key ? -1 : 1));

type CohortChange = { cohort: string; month: string; change: number; customers: number };

/** The subscribers of each cohort at the end of each month, from its own to the last. */
export const cohortsOf = (changes: readonly CohortChange[], until: string) => {
  const cohorts = Map.groupBy(changes, ({ cohort }) => cohort);
  return [...cohorts].map(([month, own]) => {
    let active = 0;
    return {
      month,
      customers: own[0]?.customers ?? 0,
      active: periodsOf({ from: month, until }, "month").map((at) => {
        active += own.find((one) => one.month === at)?.change ?? 0;
        return active;
      }),
    };
  });
};
