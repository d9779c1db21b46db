import { runtime } from "#lib/page/runtime.ts";
import { dayMs, formatDate, localDateTime, parseLocalDateTime } from "#lib/time/dates.ts";

/** Days of a promotion start at midnight in the company's time zone. */
export const zone = runtime.companyTimeZone;

const dayIn = (at: Date) => localDateTime(zone, at).slice(0, 10);

/** The value of a date input, such as "2026-11-02"; empty if there is none. */
export const firstDayOf = (startsAt: string | null) =>
  startsAt === null ? "" : dayIn(new Date(startsAt));

/** `endsAt` is the start of the day after the last day. */
const lastMoment = (endsAt: string) => new Date(Date.parse(endsAt) - 1);

export const lastDayOf = (endsAt: string | null) =>
  endsAt === null ? "" : dayIn(lastMoment(endsAt));

const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day);

const dayAfter = (day: string) =>
  new Date(Date.parse(`${day}T00:00Z`) + dayMs).toISOString().slice(0, 10);

/** The start of a day, or null for an empty or incomplete date. */
export const startOf = (day: string) =>
  isDay(day) ? (parseLocalDateTime(zone, `${day}T00:00`)?.toISOString() ?? null) : null;

export const endOf = (day: string) => (isDay(day) ? startOf(dayAfter(day)) : null);

export const firstDayLabels = (startsAt: string | null) =>
  startsAt === null ? "" : formatDate(zone, new Date(startsAt));

export const lastDayLabels = (endsAt: string | null) =>
  endsAt === null ? "" : formatDate(zone, lastMoment(endsAt));

/** "2 Nov 2026 – 30 Nov 2026", "until 30 Nov 2026", "always". */
export const scheduleLabels = (promotion: { startsAt: string | null; endsAt: string | null }) => {
  const first = firstDayLabels(promotion.startsAt);
  const last = lastDayLabels(promotion.endsAt);
  if (first && last) return first === last ? first : `${first} – ${last}`;
  if (first) return `from ${first}`;
  return last ? `until ${last}` : "always";
};
