import { amountMax, currencies, exponentOf } from "@purser/contract/fields/amounts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAmount, parseBasisPoints, parseWhole } from "./parseNumber.ts";

const runs = { numRuns: 2000 };
const locales = ["en-US", "en-GB", "de"];

const currency = fc.constantFrom(...currencies);
const locale = fc.constantFrom(...locales);
const minor = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: amountMax }),
  fc.constantFrom(0, 1, 9, 10, 99, 100, 999, 1000, amountMax),
);

/** The amount in digits: "1234.50". */
const decimalOf = (amount: number, code: string) => {
  const exponent = exponentOf(code);
  const digits = String(amount).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent);
  return { whole, fraction: digits.slice(digits.length - exponent) };
};

const shown = (amount: number, code: string, language: string) => {
  const exponent = exponentOf(code);
  const { whole, fraction } = decimalOf(amount, code);
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  }).format(`${whole}.${fraction || 0}` as Intl.StringNumericLiteral);
};

test("parses an amount as its locale writes it", () => {
  fc.assert(
    fc.property(minor, currency, locale, (amount, code, language) => {
      expect(parseAmount(shown(amount, code, language), code, language)).toBe(amount);
    }),
    runs,
  );
});

test("accepts either decimal point, spaces or apostrophes between thousands, and fewer decimals", () => {
  const typed = fc.record({
    amount: minor,
    code: currency,
    language: locale,
    point: fc.constantFrom(".", ","),
    thousands: fc.constantFrom("'", "’", " ", "\u00a0", "\u202f"),
    blank: fc.constantFrom("", " ", "  "),
  });
  fc.assert(
    fc.property(typed, ({ amount, code, language, point, thousands, blank }) => {
      const { whole, fraction } = decimalOf(amount, code);
      const rest = fraction.replace(/0+$/, "");
      // Three digits after the point alone are thousands in the other locale.
      fc.pre(rest.length !== 3 || whole.length > 3 || whole.startsWith("0"));
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
      const text = `${blank}${grouped}${rest && point}${rest}${blank}`;
      expect(parseAmount(text, code, language), text).toBe(amount);
    }),
    runs,
  );
});

test("refuses more decimals than the currency has", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      digits,
      currency,
      locale,
      (whole, fraction, code, language) => {
        fc.pre(fraction.length > exponentOf(code));
        const point = language === "de" ? "," : ".";
        expect(parseAmount(`${whole}${point}${fraction}`, code, language)).toBeNull();
      },
    ),
    runs,
  );
});

describe("the locale decides what could be thousands or decimals", () => {
  test.each([
    ["1.234,56", "EUR", 123_456, 123_456],
    ["1,234.56", "EUR", 123_456, 123_456],
    ["12,5", "EUR", 1250, 1250],
    ["12.5", "EUR", 1250, 1250],
    ["1,234", "EUR", 123_400, null],
    ["1.234", "EUR", null, 123_400],
    ["1,234", "BHD", 1_234_000, 1234],
    ["1.234", "BHD", 1234, 1_234_000],
    ["1.234.567", "EUR", 123_456_700, 123_456_700],
    ["1,234,567", "BHD", 1_234_567_000, 1_234_567_000],
    ["1,900", "JPY", 1900, null],
    ["1.900", "JPY", null, 1900],
    ["0,500", "BHD", 500, 500],
    ["1,234.567", "BHD", 1_234_567, 1_234_567],
    ["1 234,567", "BHD", 1_234_567, 1_234_567],
    ["1,234,56", "EUR", null, null],
    ["1.234,567", "EUR", null, null],
    ["12,34.56", "EUR", null, null],
  ] as const)("%s %s is %s in English and %s in German", (typed, code, english, german) => {
    expect(parseAmount(typed, code, "en-US")).toBe(english);
    expect(parseAmount(typed, code, "en-GB")).toBe(english);
    expect(parseAmount(typed, code, "de")).toBe(german);
  });
});

describe("what is no amount", () => {
  test.each([
    "",
    " ",
    "-1",
    "1.2.3",
    "1,2,3",
    "ten",
    "1e3",
    "0x10",
    "1 2",
    "1,,000",
    ".5",
    "5.",
    "∞",
  ])("%j", (typed) => {
    for (const language of locales) expect(parseAmount(typed, "EUR", language)).toBeNull();
  });
  test("is above the maximum", () => {
    expect(parseAmount("9999999999999.99", "EUR", "en-US")).toBe(amountMax);
    expect(parseAmount("10000000000000.00", "EUR", "en-US")).toBeNull();
  });
  test("is any text without digits", () => {
    fc.assert(
      fc.property(fc.string(), currency, locale, (typed, code, language) => {
        fc.pre(!/\d/.test(typed));
        expect(parseAmount(typed, code, language)).toBeNull();
      }),
      runs,
    );
  });
});

test.each([
  ["1,000", "en-US", 1000],
  ["1.000", "de", 1000],
  ["1 000", "de", 1000],
  ["1.000", "en-US", null],
  ["-5", "de", -5],
  ["−5", "en-GB", -5],
  ["12", "en-US", 12],
  ["12,5", "de", null],
  ["", "de", null],
])("%j in %s is the whole number %s", (typed, language, value) =>
  expect(parseWhole(typed, language)).toBe(value),
);

test.each([
  ["12.5", "en-US", 1250],
  ["12,5 %", "de", 1250],
  ["12,5", "en-US", 1250],
  ["100", "de", 10_000],
  ["0.125", "en-US", null],
  ["1000", "en-US", null],
  ["-1", "de", null],
])("%j in %s is %s basis points", (typed, language, points) =>
  expect(parseBasisPoints(typed, language)).toBe(points),
);
