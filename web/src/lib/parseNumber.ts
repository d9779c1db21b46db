import { amountMax, exponentOf } from "@purser/contract/fields/amounts";
import { language } from "./messages.ts";

const decimalPoints = new Map<string, string>();
/** The character between whole number and decimals: "." or ",". */
const decimalPointOf = (locale: string) => {
  const known = decimalPoints.get(locale);
  if (known) return known;
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  const point = parts.find(({ type }) => type === "decimal")?.value ?? ".";
  decimalPoints.set(locale, point);
  return point;
};

/** Digits in groups of three with the same character between them. */
const grouped = /^[1-9]\d{0,2}([,.'’ ])\d{3}(?:\1\d{3})*$/;

/** The character that is the decimal point in this text, if it has one. */
const pointIn = (text: string, locale: string) => {
  const signs = text.match(/[.,]/g) ?? [];
  const last = signs.at(-1);
  if (last === undefined || signs.filter((sign) => sign === last).length > 1) return "";
  // "1.234" and "1,234" could be either, so the locale decides. Nothing else is ambiguous.
  return grouped.test(text) && last !== decimalPointOf(locale) ? "" : last;
};

/**
 * The digits of a number as the locale writes it: "1.234,56" in German. Other separators are
 * accepted where they can't be mistaken. Null if it is no number.
 */
const parseDigits = (typed: string, locale: string) => {
  const text = typed.trim().replace(/\s/g, " ");
  const point = pointIn(text, locale);
  const [whole = "", fraction = ""] = point ? text.split(point) : [text];
  const isWhole = /^\d+$/.test(whole) || grouped.test(whole);
  const isFraction = point === "" || /^\d+$/.test(fraction);
  return isWhole && isFraction ? { whole: whole.replace(/\D/g, ""), fraction } : null;
};

/** A number of units of 10 to the power of minus `decimals`. More decimals are refused, never rounded. */
const parseScaled = (typed: string, decimals: number, locale: string) => {
  const digits = parseDigits(typed, locale);
  if (!digits || digits.fraction.length > decimals) return null;
  return Number(`${digits.whole}${digits.fraction.padEnd(decimals, "0")}`);
};

/** An amount in minor units, or null if it is not an amount of the currency. */
export const parseAmount = (
  typed: string,
  currency: string,
  locale: string = language,
): number | null => {
  const minor = parseScaled(typed, exponentOf(currency), locale);
  return minor !== null && minor <= amountMax ? minor : null;
};

/** Whether it is a number with more decimals than the currency has. */
export const hasTooManyDecimals = (typed: string, currency: string, locale: string = language) =>
  (parseDigits(typed, locale)?.fraction.length ?? 0) > exponentOf(currency);

/** A number without the zeros at the end of its decimals: "12.50" as "12.5". */
export const withoutFinalZeros = (typed: string, locale: string = language) =>
  parseDigits(typed, locale)?.fraction ? typed.trim().replace(/[.,]?0+$/, "") : typed;

export const parseWhole = (typed: string, locale: string = language): number | null => {
  const [, sign, digits = ""] = /^([-−]?)(.*)$/s.exec(typed.trim()) ?? [];
  const value = parseScaled(digits, 0, locale);
  if (value === null || value > amountMax) return null;
  return sign ? -value : value;
};

/** "12.5 %" as 1250. */
export const parseBasisPoints = (typed: string, locale: string = language): number | null => {
  const points = parseScaled(typed.replace("%", ""), 2, locale);
  return points !== null && points < 100_000 ? points : null;
};
