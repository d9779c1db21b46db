import { z } from "zod";
import { plain, token } from "./text.ts";

// The digits of each currency's minor unit, as published in ISO 4217. Tables such as ICU's describe how people
// write amounts, which differs for some currencies, so only this one is used.
const byExponent = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF " +
    "CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD " +
    "GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL " +
    "MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR " +
    "PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP " +
    "TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
} as const;

const exponents = new Map(
  Object.entries(byExponent).flatMap(([exponent, codes]) =>
    codes.split(" ").map((code) => [code, Number(exponent)] as const),
  ),
);

/** All ISO 4217 codes in alphabetical order. */
export const currencies: readonly string[] = [...exponents.keys()].sort();

/** The number of decimals of a currency. */
export const exponentOf = (currency: string) => {
  const exponent = exponents.get(currency);
  if (exponent === undefined) throw new Error(`${currency} is no currency of ISO 4217.`);
  return exponent;
};

export const currency = token(/^[A-Z]{3}$/, "must be a currency such as EUR")
  .refine((code) => exponents.has(code), "must be a currency of ISO 4217, such as EUR")
  .meta({ enum: currencies });

export const amountMax = 999_999_999_999_999;

/** An amount of money in the currency's minor unit: 12.50 EUR is 1250. */
export const amount = z
  .int("must be a whole number of the currency's smallest unit")
  .min(0, "must not be below 0")
  .max(amountMax, "is more than can be counted");

export const money = z.object({ amount, currency: plain }).meta({ id: "Money" });
export type Money = z.output<typeof money>;

/** The amount without its currency: "1,250.00". */
export const formatAmount = (minor: number, code: string) => {
  const exponent = exponentOf(code);
  const digits = String(minor).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent).replace(/\B(?=(\d{3})+$)/g, ",");
  return exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`;
};

/** The amount with its currency: "1,250.00 EUR". */
export const formatMoney = (minor: number, code: string) => `${formatAmount(minor, code)} ${code}`;

const groups = /^\d{1,3}(?:([,.' \u00a0\u202f])\d{3}(?:\1\d{3})*)$/;

/** Digits, or digits with one thousands separator that differs from the decimal point. */
const isWhole = (text: string, point: string) => {
  if (/^\d+$/.test(text)) return true;
  const [, sign] = groups.exec(text) ?? [];
  // Three digits after a single separator are ambiguous: decimals, or thousands.
  const isUnclear = point === "" && /^\d+\.\d+$/.test(text);
  return sign !== undefined && sign !== point && !isUnclear;
};

/** Splits at the decimal point, if the amount is readable. */
const readParts = (typed: string, exponent: number) => {
  const split = exponent > 0 ? new RegExp(`^(.*)([.,])(\\d{1,${exponent}})$`).exec(typed) : null;
  const [, whole = "", point = "", fraction = ""] = split ?? [];
  if (split && isWhole(whole, point)) return { whole, fraction };
  return isWhole(typed, "") ? { whole: typed, fraction: "" } : null;
};

/**
 * Parses what a user typed into minor units, or null if it is not an amount of the currency. The decimal point
 * may be a comma and thousands may be separated. Too many decimals are refused and never rounded.
 */
export const parseAmount = (source: string, code: string): number | null => {
  const exponent = exponentOf(code);
  const parts = readParts(source.trim(), exponent);
  if (!parts) return null;
  const minor = Number(`${parts.whole.replace(/\D/g, "")}${parts.fraction.padEnd(exponent, "0")}`);
  return minor <= amountMax ? minor : null;
};
