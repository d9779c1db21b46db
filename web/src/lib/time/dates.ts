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
export const clockFormat = {
  hour: language === "en-US" ? "numeric" : "2-digit",
  minute: "2-digit",
} as const;

export const formatDate = (timeZone: string, at: Date) =>
  formatOf({ ...date, timeZone }).format(at);
export const formatTime = (timeZone: string, at: Date) =>
  formatOf({ ...clockFormat, timeZone }).format(at);
/** Date and time to the minute: "Nov 16, 2026, 2:30 PM". */
export const formatDateTime = (timeZone: string, at: Date) =>
  formatOf({ ...date, ...clockFormat, timeZone }).format(at);
export const formatExact = (timeZone: string, at: Date) =>
  `${formatOf({ ...date, ...clockFormat, second: "2-digit", timeZone }).format(at)} ${timeZone}`;

export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

let shown: string | null = null;
/** The user's preferred time zone, for texts outside of components. Null for the browser's. */
export const setShownTimeZone = (timeZone: string | null) => {
  shown = timeZone;
};
export const shownTimeZone = () => shown ?? browserTimeZone();
