import { t } from "@lingui/core/macro";
import type { rateCategories } from "@purser/contract/money/taxRates";
import { nameOf, percentOfBasisPoints } from "#lib/intl.ts";
import { taxCategoryNames } from "#lib/labels/packages.ts";
import { dayMs, formatDate } from "#lib/time/dates.ts";

type Category = (typeof rateCategories)[number];

/** A day such as 2026-01-31, some days later. */
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const dayLabel = (day: string) => formatDate("UTC", new Date(day));

/** The stored end is the first day without the rate; users see the last day with it. */
export const endDayOf = (validUntil: string | null) =>
  validUntil === null ? "" : dayAfter(validUntil, -1);

export const untilOf = (endDay: string) => (endDay === "" ? null : dayAfter(endDay, 1));

/** Columns of tax rates in the history. */
export const rateColumns = {
  country: { label: t`Country`, show: (code: unknown) => nameOf("region", String(code)) },
  region: { label: t`Region` },
  name: { label: t`Name` },
  category: {
    label: t`Tax category`,
    show: (category: unknown) => taxCategoryNames[category as Category],
  },
  basisPoints: {
    label: t`Percentage`,
    show: (points: unknown) => percentOfBasisPoints(Number(points)),
  },
  validFrom: { label: t`Start date`, show: (day: unknown) => dayLabel(String(day)) },
  validUntil: {
    label: t`End date`,
    show: (day: unknown) => dayLabel(endDayOf(String(day))),
  },
};
