import { language } from "../messages.ts";

// Not in dates.ts, which every page loads.

const dayFormat = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const monthFormat = new Intl.DateTimeFormat(language, {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

const momentOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** A day of a report on an axis: "Nov 14". */
export const showShortDay = (day: string) => dayFormat.format(momentOf(day));

/** The month of a day of a report: "Nov 2026". */
export const showMonth = (day: string) => monthFormat.format(momentOf(day));
