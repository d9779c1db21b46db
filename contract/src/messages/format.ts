import { formatMoney } from "../fields/amounts.ts";
import type { Parameter } from "./message.ts";

/** How money, moments and lists are formatted. A browser uses its user's settings. */
export type Formats = {
  money: (amount: number, currency: string) => string;
  date: (at: Date) => string;
  dateTime: (at: Date) => string;
  list: (items: readonly string[]) => string;
};

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
} as const;

/** The formats of a language on the server, with moments in the given time zone. */
export const formatsOf = (language: string, timeZone = "UTC"): Formats => ({
  money: formatMoney,
  date: (at) => new Intl.DateTimeFormat(language, { ...date, timeZone }).format(at),
  dateTime: (at) => new Intl.DateTimeFormat(language, { ...date, ...time, timeZone }).format(at),
  list: (items) => new Intl.ListFormat(language, { type: "conjunction" }).format(items),
});

/** A parameter as a message needs it: numbers stay numbers, for plurals. */
const formatParameter = (value: Parameter, formats: Formats): string | number => {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return formats.list(value);
  if ("currency" in value) return formats.money(value.amount, value.currency);
  return (value.time ? formats.dateTime : formats.date)(new Date(value.at));
};

export const formatParameters = (values: Record<string, Parameter>, formats: Formats) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, formatParameter(value, formats)]),
  );
