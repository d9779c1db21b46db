import { addMonths, firstOfMonth } from "@purser/contract/reports/days";
import type { Comparison } from "@purser/contract/reports/period";
import type { Db } from "#platform/db/db.ts";
import { localDateOf } from "#platform/periods.ts";
import { findSettings } from "#platform/settings.ts";
import { findCurrencies } from "./queries.ts";
import { type Days, daysOf, previousOf } from "./rules.ts";
import { findAge } from "./stateQueries.ts";

export type Asked = {
  from?: string | undefined;
  until?: string | undefined;
  currency?: string | undefined;
  compare?: Comparison | undefined;
};

/** The last twelve months, if no days are given. */
export const yearOf = ({ from, until }: Asked, today: string): Asked => {
  if (from !== undefined || until !== undefined) return { from, until };
  return { from: addMonths(firstOfMonth(today), -11), until: today };
};

export type Clock = { now: Date; zone: string };

/** What every report says about itself. The zone is used unless the company has one in its settings. */
export const readAbout = async (
  db: Db,
  asked: Asked,
  { now, zone }: Clock,
  wanted?: (today: string) => Asked,
) => {
  const settings = await findSettings(db);
  const timeZone = settings.timeZone ?? zone;
  const today = localDateOf(now, timeZone);
  const days: Days = daysOf(wanted?.(today) ?? asked, today);
  const known = await findCurrencies(db, today);
  const currency = asked.currency ?? known[0] ?? settings.currencies[0] ?? "EUR";
  const currencies = known.includes(currency) ? known : [...known, currency];
  const previous = previousOf(days, asked.compare ?? "none");
  return { ...days, currency, currencies, previous, timeZone, ...(await findAge(db, now)) };
};
