import { t } from "@lingui/core/macro";
import { dayMs, formatDate, formatOf } from "./dates.ts";

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
