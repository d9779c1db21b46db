import { expect, test } from "vitest";
import { isPriceChanged, missingPrices, priceDifferences, unusualPrices } from "./priceReview.ts";
import type { Price } from "./prices.ts";

/** "EUR 1300 month", amounts in minor units. */
const pricesOf = (...texts: string[]): Price[] =>
  texts.map((text) => {
    const [currency = "", amount, interval] = text.split(" ");
    return { currency, amount: Number(amount), interval: interval as "month", intervalCount: 1 };
  });

test.each<[string, string[], string[]]>([
  ["nothing for a package without prices", [], []],
  ["nothing for one currency", ["EUR 1300 month", "EUR 13000 year"], []],
  ["nothing if all have the same intervals", ["EUR 1300 month", "USD 1400 month"], []],
  [
    "a yearly price by the ratio of the others",
    ["EUR 1300 month", "EUR 13000 year", "JPY 2080 month"],
    ["JPY year 20800"],
  ],
  [
    "a monthly price by the ratio of the others",
    ["EUR 1300 month", "EUR 13000 year", "JPY 20800 year"],
    ["JPY month 2080"],
  ],
  [
    "rounded to the smallest unit",
    ["EUR 1200 month", "EUR 9900 year", "USD 1399 month"],
    ["USD year 11542"],
  ],
  [
    "without a suggestion if nothing compares",
    ["EUR 1300 month", "USD 14000 year"],
    ["EUR year null", "USD month null"],
  ],
  [
    "without a suggestion for a free interval",
    ["EUR 0 month", "EUR 13000 year", "USD 900 month"],
    ["USD year null"],
  ],
  [
    "one-time prices, too",
    ["EUR 1300 month", "EUR 26000 once", "USD 1400 month"],
    ["USD once 28000"],
  ],
])("missing prices: %s", (_, prices, expected) => {
  const found = missingPrices(pricesOf(...prices));
  expect(found.map((one) => `${one.currency} ${one.interval} ${one.suggested}`)).toEqual(expected);
});

const eur = ["EUR 1300 month", "EUR 13000 year"];
const gbp = ["GBP 1100 month", "GBP 11000 year"];

test.each<[string, string[], string[]]>([
  ["nothing in one currency", ["EUR 1300 month", "EUR 99900 year"], []],
  ["nothing if the ratios are the same", [...eur, ...gbp], []],
  [
    "a yearly price with another ratio",
    [...eur, "USD 1400 month", "USD 18400 year", ...gbp],
    ["USD year 14000"],
  ],
  [
    "of two currencies the second",
    [...eur, "USD 1400 month", "USD 18400 year"],
    ["USD year 14000"],
  ],
  [
    "of two and two those unlike the first",
    [...eur, ...gbp, "USD 100 month", "USD 1300 year", "PLN 400 month", "PLN 5200 year"],
    ["USD year 1000", "PLN year 4000"],
  ],
  [
    "nothing at exactly 15 % more",
    ["EUR 100 month", "EUR 1000 year", "USD 100 month", "USD 1150 year"],
    [],
  ],
  [
    "nothing at exactly 15 % less",
    ["EUR 100 month", "EUR 1000 year", "USD 100 month", "USD 850 year"],
    [],
  ],
  [
    "more than 15 % more",
    ["EUR 100 month", "EUR 1000 year", "USD 100 month", "USD 1151 year"],
    ["USD year 1000"],
  ],
  [
    "more than 15 % less",
    ["EUR 100 month", "EUR 1000 year", "USD 100 month", "USD 849 year"],
    ["USD year 1000"],
  ],
  ["nothing if one price is free", [...eur, "USD 0 month", "USD 18400 year"], []],
  [
    "compared with the interval that most currencies have",
    ["EUR 13000 year", "EUR 400 week", "USD 14000 year", "USD 900 week", "PLN 56000 year"],
    ["USD week 431"],
  ],
  [
    "amounts beyond 53 bits of their product",
    [
      "EUR 9007199254 month",
      "EUR 90071992540 year",
      "USD 9007199253 month",
      "USD 90071992530 year",
    ],
    [],
  ],
])("unusual prices: %s", (_, prices, expected) => {
  const found = unusualPrices(pricesOf(...prices));
  expect(found.map((one) => `${one.currency} ${one.interval} ${one.suggested}`)).toEqual(expected);
});

test("an unusual price has its ratio and the usual one", () => {
  const prices = pricesOf(...eur, "USD 1400 month", "USD 18400 year", ...gbp);
  expect(unusualPrices(prices)).toMatchObject([
    { amount: 18_400, base: { interval: "month" }, ratio: 18_400 / 1400, usual: 10 },
  ]);
});

test("prices before and after, with new and removed ones", () => {
  const found = priceDifferences(
    pricesOf("EUR 1200 month", "USD 1300 month"),
    pricesOf("EUR 1300 month", "JPY 2080 month"),
  );
  expect(found.map(({ currency, before, after }) => [currency, before, after])).toEqual([
    ["EUR", 1200, 1300],
    ["JPY", null, 2080],
    ["USD", 1300, null],
  ]);
});

test("a price that becomes one for each unit is a difference", () => {
  const [price] = pricesOf("EUR 1200 month");
  if (!price) throw new Error("There is no price.");
  const differenceOf = (before: boolean, after: boolean) =>
    priceDifferences([{ ...price, perUnit: before }], [{ ...price, perUnit: after }]);
  expect(differenceOf(false, true)).toMatchObject([{ perUnit: { before: false, after: true } }]);
  expect(differenceOf(false, true).every(isPriceChanged)).toBe(true);
  expect(differenceOf(true, true).some(isPriceChanged)).toBe(false);
});
