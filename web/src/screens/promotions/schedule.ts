import { t } from "@lingui/core/macro";
import { runtime } from "#lib/page/runtime.ts";
import { dayMs, formatDate } from "#lib/time/dates.ts";
import { localDateTime, parseLocalDateTime } from "#lib/time/localTime.ts";

/** Days of a promotion start at midnight in the company's time zone. */
export const zone = runtime.companyTimeZone;

const dayIn = (at: Date) => localDateTime(zone, at).slice(0, 10);

/** Null for text that a date field couldn't read. */
export const knownMoment = (at: string | null) =>
  at !== null && /^\d{4}-\d\d-\d\dT.*Z$/.test(at) ? at : null;

/** Text that couldn't be read is shown as it is. */
const momentText = (at: string | null, show: (at: Date) => string) =>
  knownMoment(at) ? show(new Date(at ?? 0)) : (at ?? "");

/** The value of a date input, such as "2026-11-02"; empty if there is none. */
export const firstDayOf = (startsAt: string | null) => momentText(startsAt, dayIn);

/** `endsAt` is the start of the day after the last day. */
const lastMoment = (endsAt: Date) => new Date(endsAt.getTime() - 1);

export const lastDayOf = (endsAt: string | null) =>
  momentText(endsAt, (at) => dayIn(lastMoment(at)));

const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day);

const dayAfter = (day: string) =>
  new Date(Date.parse(`${day}T00:00Z`) + dayMs).toISOString().slice(0, 10);

/** The start of a day, or null for an empty or incomplete date. */
export const startOf = (day: string) =>
  isDay(day) ? (parseLocalDateTime(zone, `${day}T00:00`)?.toISOString() ?? null) : null;

export const endOf = (day: string) => (isDay(day) ? startOf(dayAfter(day)) : null);

export const firstDayLabels = (startsAt: string | null) =>
  momentText(startsAt, (at) => formatDate(zone, at));

export const lastDayLabels = (endsAt: string | null) =>
  momentText(endsAt, (at) => formatDate(zone, lastMoment(at)));

/** "Nov 2, 2026 – Nov 30, 2026", "Until Nov 30, 2026", "Always". */
export const scheduleLabels = (promotion: { startsAt: string | null; endsAt: string | null }) => {
  const first = firstDayLabels(promotion.startsAt);
  const last = lastDayLabels(promotion.endsAt);
  if (first && last) return first === last ? first : `${first} – ${last}`;
  if (first) return t`From ${first}`;
  return last ? t`Until ${last}` : t`Always`;
};
