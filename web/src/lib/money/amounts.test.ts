import { describe, expect, test } from "vitest";
import { amountError, amountInCurrency } from "./amounts.ts";

describe("the error of an amount", () => {
  test.each([
    ["9.99", "EUR", null],
    ["9,99", "EUR", null],
    ["1,900", "JPY", null],
    ["1.234", "BHD", null],
    ["", "EUR", "Enter an amount, such as 199.00."],
    ["9.99", "JPY", "Enter a whole number. JPY has no decimals."],
    ["9.9", "JPY", "Enter a whole number. JPY has no decimals."],
    ["9.999", "EUR", "Enter at most 2 decimals. EUR allows no more."],
    ["9,999.999", "EUR", "Enter at most 2 decimals. EUR allows no more."],
    ["1.900", "JPY", "Enter a whole number. JPY has no decimals."],
    ["9.9999", "EUR", "Enter at most 2 decimals. EUR allows no more."],
    ["1.2345", "BHD", "Enter at most 3 decimals. BHD allows no more."],
    ["-5", "EUR", "Enter 0 or more."],
    ["99999999999999999", "EUR", "This amount is too large."],
    ["free", "JPY", "Enter an amount, such as 19,900."],
  ])("%j in %s: %s", (typed, currency, refusal) =>
    expect(amountError(typed, currency)).toBe(refusal),
  );
  test("accepts a parsed amount", () => expect(amountError(990, "EUR")).toBeNull());
});

describe("the same amount in another currency", () => {
  test.each([
    [1200, "EUR", "USD", 1200],
    [1200, "EUR", "JPY", 12],
    [1200, "EUR", "BHD", 12_000],
    [1900, "JPY", "EUR", 190_000],
    [1250, "EUR", "JPY", "12.50"],
    ["soon", "EUR", "JPY", "soon"],
    ["12.50", "JPY", "EUR", 1250],
  ] as const)("%j %s in %s is %j", (amount, from, to, next) =>
    expect(amountInCurrency(to, { amount, currency: from })).toBe(next),
  );
});
