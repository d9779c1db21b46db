import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountMax, currencies, exponentOf, formatAmount, parseAmount } from "./money.ts";

const runs = { numRuns: 2000 };

const currency = fc.constantFrom(...currencies);
const minor = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: amountMax }),
  fc.constantFrom(0, 1, 9, 10, 99, 100, 999, 1000, amountMax),
);

test("parses a formatted amount of any currency", () => {
  for (const code of currencies)
    for (const amount of [0, 1, 10, 99, 1000, 123_456, amountMax])
      expect(parseAmount(formatAmount(amount, code), code), `${amount} ${code}`).toBe(amount);
  fc.assert(
    fc.property(minor, currency, (amount, code) => {
      expect(parseAmount(formatAmount(amount, code), code)).toBe(amount);
    }),
    runs,
  );
});

test("formats an amount with the currency's decimals and thousands separators", () => {
  fc.assert(
    fc.property(minor, currency, (amount, code) => {
      const exponent = exponentOf(code);
      const decimals = exponent === 0 ? "" : `\\.\\d{${exponent}}`;
      expect(formatAmount(amount, code)).toMatch(new RegExp(`^\\d{1,3}(,\\d{3})*${decimals}$`));
    }),
    runs,
  );
});

/** An amount as a user might type it, with any separators and surrounding spaces. */
const typed = fc.record({
  amount: minor,
  code: currency,
  point: fc.constantFrom(".", ","),
  thousands: fc.constantFrom("", "'", " ", "\u00a0", "\u202f"),
  blank: fc.constantFrom("", " ", "  "),
});

test("accepts a decimal comma and thousands separators", () => {
  fc.assert(
    fc.property(typed, ({ amount, code, point, thousands, blank }) => {
      const [whole = "", fraction] = formatAmount(amount, code).split(".");
      const written = whole.replaceAll(",", thousands) + (fraction ? point + fraction : "");
      expect(parseAmount(`${blank}${written}${blank}`, code)).toBe(amount);
    }),
    runs,
  );
});

test("treats missing decimals as zeros", () => {
  fc.assert(
    fc.property(minor, currency, (amount, code) => {
      const short = formatAmount(amount, code)
        .replaceAll(",", "")
        .replace(/(\.\d*?)0+$/, "$1")
        .replace(/\.$/, "");
      expect(parseAmount(short, code)).toBe(amount);
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
      fc.constantFrom(".", ","),
      (whole, fraction, code, point) => {
        // Three digits after a comma are thousands if the currency has fewer decimals.
        const isThousands = point === "," && fraction.length === 3 && String(whole).length <= 3;
        fc.pre(fraction.length > exponentOf(code) && !isThousands);
        expect(parseAmount(`${whole}${point}${fraction}`, code)).toBeNull();
      },
    ),
    runs,
  );
});

describe("thousands and decimals are told apart, and what could be either is not guessed", () => {
  test.each([
    ["1,234.56", "EUR", 123_456],
    ["1.234,56", "EUR", 123_456],
    ["1,234", "EUR", 123_400],
    ["1.234.567", "EUR", 123_456_700],
    ["1,234,567", "BHD", 1_234_567_000],
    ["1,234", "BHD", 1234],
    ["1,900", "JPY", 1900],
    ["1.900", "JPY", null],
    ["9.999", "EUR", null],
    ["9,999.999", "EUR", null],
    ["1,234,56", "EUR", null],
    ["1.234,567", "EUR", null],
    ["1,234.567", "BHD", 1_234_567],
  ] as const)("%s %s", (source, code, amount) => expect(parseAmount(source, code)).toBe(amount));
});

describe("what is no amount", () => {
  test.each(["", " ", "-1", "1.2.3", "1,2,3", "ten", "1e3", "0x10", "1 2", "1,,000", ".5", "∞"])(
    "%j",
    (source) => expect(parseAmount(source, "EUR")).toBeNull(),
  );
  test("is above the maximum", () => {
    expect(parseAmount("9999999999999.99", "EUR")).toBe(amountMax);
    expect(parseAmount("10000000000000.00", "EUR")).toBeNull();
  });
  test("is any text without digits", () => {
    fc.assert(
      fc.property(fc.string(), currency, (source, code) => {
        fc.pre(!/\d/.test(source));
        expect(parseAmount(source, code)).toBeNull();
      }),
      runs,
    );
  });
});

test("throws for an unknown currency", () =>
  expect(() => formatAmount(1, "XXX")).toThrow("XXX is no currency"));
