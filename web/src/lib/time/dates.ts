import { preferencesNow } from "../session/preferences.ts";

export const dayMs = 24 * 3_600_000;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });

const steps = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
] as const;

/** "3 hours ago", for up to a week; older is told by its date. */
export const agoOf = (at: Date, now: Date): string | null => {
  let amount = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(amount) < 5) return "just now";
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.trunc(amount), unit);
    amount /= size;
  }
  return null;
};

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (options: Intl.DateTimeFormatOptions) => {
  const { language } = preferencesNow();
  const key = JSON.stringify([language, options]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, known);
  return known;
};

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "2-digit", minute: "2-digit" } as const;

export const dateIn = (timeZone: string, at: Date) => formatOf({ ...date, timeZone }).format(at);
export const monthIn = (timeZone: string, at: Date) =>
  formatOf({ month: "short", timeZone }).format(at);
export const timeIn = (timeZone: string, at: Date) => formatOf({ ...time, timeZone }).format(at);
export const exactIn = (timeZone: string, at: Date) =>
  `${formatOf({ ...date, ...time, second: "2-digit", timeZone }).format(at)} ${timeZone}`;

/** A row of a list by its day and second; of another year, with the year. */
export const shortIn = (timeZone: string, at: Date, hasYear: boolean) => ({
  date: formatOf({
    day: "numeric",
    month: "short",
    ...(hasYear && { year: "numeric" }),
    timeZone,
  } as const).format(at),
  time: formatOf({ ...time, second: "2-digit", timeZone }).format(at),
});

/** How far a zone is from UTC now: "UTC+02:00". */
export const offsetOf = (timeZone: string, now: Date) => {
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

/** What clocks in a zone show at a moment, as a date and time field holds it: "2026-11-20T09:00". */
export const clockIn = (timeZone: string, at: Date) => {
  const parts = formatOf({ ...clockParts, timeZone }).formatToParts(at);
  const of = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${of("year").padStart(4, "0")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}`;
};

/** The moment at which clocks in a zone show that; null where the field holds no such time. */
export const momentIn = (timeZone: string, clock: string): Date | null => {
  const wanted = Date.parse(`${clock}Z`);
  if (!Number.isFinite(wanted)) return null;
  // Twice, because the first guess may lie beyond a change of the clocks. An hour that is left out becomes the next.
  let at = wanted;
  for (let guess = 0; guess < 2; guess += 1)
    at += wanted - Date.parse(`${clockIn(timeZone, new Date(at))}Z`);
  return new Date(at);
};

export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every zone there is, to choose from, with its offset now. */
export const zoneOptions = () => {
  const now = new Date();
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
    (zone) => ({ value: zone, label: `${zone.replaceAll("_", " ")} (${offsetOf(zone, now)})` }),
  );
};
