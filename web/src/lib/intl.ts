import { decimalAmount, exponentOf } from "@purser/contract/fields/amounts";
import { language } from "./messages.ts";

// Everything that Intl writes in the user's language goes through this file and lib/time.

const formats = new Map<string, Intl.NumberFormat>();
const numberFormat = (options: Intl.NumberFormatOptions) => {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, known);
  return known;
};

/** "1,204". */
export const number = (value: number) => numberFormat({}).format(value);

/** With this many digits after the decimal separator: "10.0". */
export const decimal = (value: number, digits: number) =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** 0.125 is "12.5%". */
export const percent = (share: number, digits = 2) =>
  numberFormat({ style: "percent", maximumFractionDigits: digits }).format(share);

/** Basis points as a percentage: 1250 is "12.5%". */
export const percentOfBasisPoints = (points: number) => percent(points / 10_000);

/** An amount in minor units without its currency: "1,250.00". Digits are exact for every amount. */
export const amount = (minor: number | bigint, currency: string) => {
  const exponent = exponentOf(currency);
  return numberFormat({
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  }).format(decimalAmount(minor, currency) as Intl.StringNumericLiteral);
};

/** A negative amount has a minus sign, not a hyphen: "−12.00". */
export const signedAmount = (minor: number, currency: string) =>
  `${minor < 0 ? "−" : ""}${amount(Math.abs(minor), currency)}`;

/** An amount with its currency: "1,250.00 EUR". */
export const money = (minor: number, currency: string) => `${amount(minor, currency)} ${currency}`;

/** "A, B, and C". */
export const list = (items: readonly string[]) =>
  new Intl.ListFormat(language, { type: "conjunction" }).format(items);

/** "A, B, C", for labels and names side by side. */
export const series = (items: readonly string[]) =>
  new Intl.ListFormat(language, { type: "unit", style: "short" }).format(items);

/** "A, B, or C". */
export const anyOf = (items: readonly string[]) =>
  new Intl.ListFormat(language, { type: "disjunction" }).format(items);

const collator = new Intl.Collator(language, { numeric: true });
/** The order of names in the user's language. */
export const byName = (a: string, b: string) => collator.compare(a, b);

type Named = "region" | "language" | "currency";
const names = new Map<Named, Intl.DisplayNames>();
/** The name of a country, language or currency by its code. */
export const nameOf = (kind: Named, code: string) => {
  const known = names.get(kind) ?? new Intl.DisplayNames(language, { type: kind });
  names.set(kind, known);
  return known.of(code) ?? code;
};
