import { t } from "@lingui/core/macro";
import { clockFormat, dayMs, formatDate, formatOf } from "./dates.ts";

/** The day as a heading: "Today, November 14", "Thursday, November 12". With the year if it isn't the current one. */
export const formatDay = (timeZone: string, at: Date, now: Date) => {
  const isSame = (other: Date) => formatDate(timeZone, at) === formatDate(timeZone, other);
  const day = { day: "numeric", month: "long", timeZone } as const;
  const date = formatOf(day).format(at);
  if (isSame(now)) return t`Today, ${date}`;
  if (isSame(new Date(+now - dayMs))) return t`Yesterday, ${date}`;
  const yearOf = (moment: Date) => formatOf({ year: "numeric", timeZone }).format(moment);
  const year = yearOf(at) === yearOf(now) ? {} : ({ year: "numeric" } as const);
  return formatOf({ weekday: "long", ...day, ...year }).format(at);
};

export const formatMonth = (timeZone: string, at: Date) =>
  formatOf({ month: "short", timeZone }).format(at);
/** With the day of the week, for something soon: "Thursday, November 19 at 10:00 AM". */
export const formatWeekday = (timeZone: string, at: Date) =>
  formatOf({ weekday: "long", day: "numeric", month: "long", ...clockFormat, timeZone }).format(at);
export const formatShortWeekday = (timeZone: string, at: Date) =>
  formatOf({ weekday: "short", ...clockFormat, timeZone }).format(at);

/** Date and time for a list row, with the year if it isn't the current one. */
export const formatShort = (timeZone: string, at: Date, hasYear: boolean) => ({
  date: formatOf({
    day: "numeric",
    month: "short",
    ...(hasYear && { year: "numeric" }),
    timeZone,
  } as const).format(at),
  time: formatOf({ ...clockFormat, second: "2-digit", timeZone }).format(at),
});
