import { t } from "@lingui/core/macro";
import { language } from "../messages.ts";

export const dayMs = 24 * 3_600_000;

const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "long" });

const steps = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
] as const;

/** "3 hours ago". Null for more than a week, which is shown as a date. */
export const relativeTime = (at: Date, now: Date): string | null => {
  let amount = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(amount) < 5) return t`just now`;
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.trunc(amount), unit);
    amount /= size;
  }
  return null;
};

const formats = new Map<string, Intl.DateTimeFormat>();
export const formatOf = (options: Intl.DateTimeFormatOptions) => {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, known);
  return known;
};

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: language === "en-US" ? "numeric" : "2-digit", minute: "2-digit" } as const;

export const formatDate = (timeZone: string, at: Date) =>
  formatOf({ ...date, timeZone }).format(at);
export const formatMonth = (timeZone: string, at: Date) =>
  formatOf({ month: "short", timeZone }).format(at);
export const formatTime = (timeZone: string, at: Date) =>
  formatOf({ ...time, timeZone }).format(at);
/** Date and time to the minute: "Nov 16, 2026, 2:30 PM". */
export const formatDateTime = (timeZone: string, at: Date) =>
  formatOf({ ...date, ...time, timeZone }).format(at);
/** With the day of the week, for something soon: "Thursday, November 19 at 10:00 AM". */
export const formatWeekday = (timeZone: string, at: Date) =>
  formatOf({ weekday: "long", day: "numeric", month: "long", ...time, timeZone }).format(at);
export const formatShortWeekday = (timeZone: string, at: Date) =>
  formatOf({ weekday: "short", ...time, timeZone }).format(at);
export const formatExact = (timeZone: string, at: Date) =>
  `${formatOf({ ...date, ...time, second: "2-digit", timeZone }).format(at)} ${timeZone}`;

/** Date and time for a list row, with the year if it isn't the current one. */
export const formatShort = (timeZone: string, at: Date, hasYear: boolean) => ({
  date: formatOf({
    day: "numeric",
    month: "short",
    ...(hasYear && { year: "numeric" }),
    timeZone,
  } as const).format(at),
  time: formatOf({ ...time, second: "2-digit", timeZone }).format(at),
});

/** The current offset of a time zone: "UTC+02:00". */
export const utcOffset = (timeZone: string, now: Date) => {
  const parts = formatOf({ timeZone, timeZoneName: "longOffset" }).formatToParts(now);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return name.replace("GMT", "UTC");
};

const clockParts = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;

/** Local time in a time zone, in the format of a date and time field: "2026-11-20T09:00". */
export const localDateTime = (timeZone: string, at: Date) => {
  const parts = formatOf({ ...clockParts, timeZone }).formatToParts(at);
  const of = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}`;
};

/** The moment of a local time in a time zone. Null if the field's value is invalid. */
export const parseLocalDateTime = (timeZone: string, clock: string): Date | null => {
  // Browsers would also read other text, such as a year.
  const wanted = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(clock) ? Date.parse(`${clock}Z`) : Number.NaN;
  if (!Number.isFinite(wanted)) return null;
  // Two passes, because the first guess may lie across a daylight saving change. A skipped hour
  // becomes the next one.
  let at = wanted;
  for (let guess = 0; guess < 2; guess += 1)
    at += wanted - Date.parse(`${localDateTime(timeZone, new Date(at))}Z`);
  return new Date(at);
};

export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

let shown: string | null = null;
/** The user's preferred time zone, for texts outside of components. Null for the browser's. */
export const setShownTimeZone = (timeZone: string | null) => {
  shown = timeZone;
};
export const shownTimeZone = () => shown ?? browserTimeZone();

export const timeZoneOptions = () => {
  const now = new Date();
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
    (zone) => ({ value: zone, label: `${zone.replaceAll("_", " ")} (${utcOffset(zone, now)})` }),
  );
};
