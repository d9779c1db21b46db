import type { Price } from "@purser/contract/packages/prices";
import { describe, expect, test } from "vitest";
import {
  frequencyLabel,
  intervalLabel,
  leadPrice,
  otherPrices,
  periodLabel,
  priceLabel,
  priceTable,
  quantityLabel,
} from "./prices.ts";

const price = (
  currency: string,
  amount: number,
  interval: Price["interval"],
  intervalCount = 1,
): Price => ({ currency, amount, interval, intervalCount });

describe("labels", () => {
  test.each([
    [price("EUR", 1200, "month"), "12.00 EUR a month", "Monthly", "monthly"],
    [price("EUR", 12_000, "year"), "120.00 EUR a year", "Yearly", "yearly"],
    [
      price("JPY", 1900, "month", 3),
      "1,900 JPY every 3 months",
      "Every 3 months",
      "every 3 months",
    ],
    [price("BHD", 1_234_500, "once"), "1,234.500 BHD once", "Once", "once"],
  ])("%j reads %s, below the head %s", (one, words, head, frequency) => {
    expect(priceLabel(one)).toBe(words);
    expect(periodLabel(one)).toBe(head);
    expect(frequencyLabel(one)).toBe(frequency);
    expect(words.endsWith(intervalLabel(one))).toBe(true);
  });
});

test("a quantity is shown if there is more than one", () => {
  expect(quantityLabel("Seats", 1)).toBe("Seats");
  expect(quantityLabel("Seats", 1200)).toBe("Seats × 1,200");
});

describe("the lead price", () => {
  test("is the monthly price of the first currency", () => {
    const monthly = price("EUR", 1200, "month");
    const prices = [price("EUR", 12_000, "year"), monthly, price("USD", 100, "month")];
    expect(leadPrice(prices)).toEqual(monthly);
  });
  test("is the price closest to monthly if there is no monthly one", () => {
    const quarterly = price("EUR", 3000, "month", 3);
    expect(
      leadPrice([price("EUR", 90_000, "once"), price("EUR", 9000, "year"), quarterly]),
    ).toEqual(quarterly);
  });
  test("is null without prices", () => expect(leadPrice([])).toBeNull());
});

test("arranges prices by currency and period, shortest first", () => {
  const { periods, rows } = priceTable([
    price("EUR", 12_000, "year"),
    price("EUR", 1200, "month"),
    price("JPY", 19_200, "year"),
  ]);
  expect(periods.map(periodLabel)).toEqual(["Monthly", "Yearly"]);
  expect(rows).toEqual([
    { currency: "EUR", amounts: [1200, 12_000], saves: 17 },
    { currency: "JPY", amounts: [null, 19_200], saves: null },
  ]);
});

describe("other prices", () => {
  const monthly = price("EUR", 1200, "month");
  test.each([
    [12_000, "or 120.00 EUR a year, 2 months free"],
    [13_200, "or 132.00 EUR a year, 1 month free"],
    [12_500, "or 125.00 EUR a year"],
    [14_400, "or 144.00 EUR a year"],
  ])("a year for %i: %s", (amount, words) => {
    const prices = [monthly, price("EUR", amount, "year"), price("USD", 1, "year")];
    expect(otherPrices(prices, monthly)).toEqual([words]);
  });
});
