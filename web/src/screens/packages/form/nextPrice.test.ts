import { expect, test } from "vitest";
import { nextPrice, type PriceValue, periodIn } from "./nextPrice.ts";

const price = (text: string): PriceValue => {
  const [currency = "", interval] = text.split(" ");
  return {
    currency,
    amount: 1200,
    interval: interval as "month",
    intervalCount: 1,
    perUnit: false,
  };
};

test.each([
  ["the first price monthly in the company's first currency", [], "EUR month"],
  ["the last interval in the next currency", ["EUR month"], "USD month"],
  ["the same for other intervals", ["EUR year", "USD year"], "PLN year"],
  ["the combination that another currency has", ["EUR month", "EUR year", "USD month"], "USD year"],
  ["a missing currency before a missing interval", ["EUR month", "USD year"], "EUR year"],
  [
    "another interval if all currencies have it",
    ["EUR month", "USD month", "PLN month"],
    "PLN year",
  ],
])("a new row has %s", (_, texts, expected) => {
  const { currency, interval, amount } = nextPrice(texts.map(price), ["EUR", "USD", "PLN"]);
  expect([`${currency} ${interval}`, amount]).toEqual([expected, ""]);
});

test.each([
  ["USD", ["EUR month"], "month"],
  ["USD", ["EUR month", "EUR year", "USD month"], "year"],
  ["EUR", ["EUR month"], undefined],
])(
  "a row without an amount whose currency becomes %s, after %j, is for %s",
  (currency, texts, expected) => {
    expect(periodIn(currency, texts.map(price))?.interval).toBe(expected);
  },
);
