import { t } from "@lingui/core/macro";
import { type Comparison, comparisons } from "@purser/contract/reports/period";
import { daysOfRange, type Range, ranges } from "@purser/contract/reports/search";
import { runtime } from "#lib/page/runtime.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatDate } from "#lib/time/dates.ts";
import { localDateTime } from "#lib/time/localTime.ts";

export const rangeLabels: Record<Range, string> = {
  "7d": t`Last 7 days`,
  "30d": t`Last 30 days`,
  "90d": t`Last 90 days`,
  month: t`This month`,
  "last-month": t`Last month`,
  "12m": t`Last 12 months`,
  custom: t`Custom range`,
};

export const comparisonLabels: Record<Comparison, string> = {
  previous: t`vs. previous period`,
  year: t`vs. previous year`,
  none: t`No comparison`,
};

/** The period of a report in the URL. Defaults are left out. */
export type PeriodSearch = {
  range?: Range;
  from?: string;
  until?: string;
  compare?: Comparison;
  currency?: string;
};

type Given = Record<string, string | string[] | undefined>;

const oneOf = (value: string | string[] | undefined) => [value].flat()[0];
const isDay = (value: string | undefined) => value !== undefined && /^\d{4}-\d\d-\d\d$/.test(value);

export const readPeriod = (given: Given): PeriodSearch => {
  const range = ranges.find((one) => one === oneOf(given["range"]));
  const [from, until] = [oneOf(given["from"]), oneOf(given["until"])];
  const compare = comparisons.find((one) => one === oneOf(given["compare"]));
  const currency = oneOf(given["currency"]);
  const isCustom = range === "custom" && isDay(from) && isDay(until);
  return {
    ...(range && (range !== "custom" || isCustom) && { range }),
    ...(isCustom && from && until && { from, until }),
    ...(compare && compare !== "previous" && { compare }),
    ...(currency !== undefined && /^[A-Z]{3}$/.test(currency) && { currency }),
  };
};

export const today = () => localDateTime(runtime.companyTimeZone, currentTime()).slice(0, 10);

/** The days of a range, in the company's time zone. */
export const daysOf = (search: PeriodSearch, usual: Range, now = today()) =>
  daysOfRange(search, usual, now);

/** The query of a report for the period in the URL. Without a period, the server knows the last 30 days. */
export const queryOf = (search: PeriodSearch, usual: Range) => ({
  ...((search.range ?? usual) !== "30d" && daysOf(search, usual)),
  ...(search.currency && { currency: search.currency }),
});

/** A day of a report as the user's language writes it. */
export const showDay = (day: string) => formatDate("UTC", new Date(`${day}T00:00:00Z`));

export const showDays = ({ from, until }: { from: string; until: string }) =>
  from === until ? showDay(from) : t`${showDay(from)} to ${showDay(until)}`;
