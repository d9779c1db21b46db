import { formatOf } from "./dates.ts";

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

export const timeZoneOptions = () => {
  const now = new Date();
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
    (zone) => ({ value: zone, label: `${zone.replaceAll("_", " ")} (${utcOffset(zone, now)})` }),
  );
};
