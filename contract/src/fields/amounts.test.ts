import fc from "fast-check";
import { expect, test } from "vitest";
import { amountMax, currencies, exponentOf, formatAmount } from "./amounts.ts";

const runs = { numRuns: 2000 };

const currency = fc.constantFrom(...currencies);
const minor = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: amountMax }),
  fc.constantFrom(0, 1, 9, 10, 99, 100, 999, 1000, amountMax),
);

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

test("throws for an unknown currency", () =>
  expect(() => formatAmount(1, "XXX")).toThrow("XXX is no currency"));
