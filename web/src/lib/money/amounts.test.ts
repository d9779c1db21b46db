import { describe, expect, test } from "vitest";
import { amountError, amountInCurrency } from "./amounts.ts";

describe("the error of an amount", () => {
  test.each([
    ["9.99", "EUR", null],
    ["9,99", "EUR", null],
    ["1,900", "JPY", null],
    ["1.234", "BHD", null],
    ["", "EUR", "must be an amount, such as 199.00"],
    ["9.99", "JPY", "must be a whole number: JPY has no decimals"],
    ["9.9", "JPY", "must be a whole number: JPY has no decimals"],
    ["9.999", "EUR", "must have at most 2 decimals, as EUR has"],
    ["9,999.999", "EUR", "must have at most 2 decimals, as EUR has"],
    ["1.900", "JPY", "must be a whole number: JPY has no decimals"],
    ["9.9999", "EUR", "must have at most 2 decimals, as EUR has"],
    ["1.2345", "BHD", "must have at most 3 decimals, as BHD has"],
    ["-5", "EUR", "must not be below 0"],
    ["99999999999999999", "EUR", "is more than can be counted"],
    ["free", "JPY", "must be an amount, such as 19,900, not “free”"],
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
