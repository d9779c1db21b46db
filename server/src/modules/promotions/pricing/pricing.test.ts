import { expect, test } from "vitest";
import type { Discount, Line } from "./conditions.ts";
import { reasonInLabels } from "./labels.ts";
import { priceOfNextPeriods, priceOfPeriod, priceOrder, taxed } from "./pricing.ts";
import {
  amountOff,
  lineOf,
  moreSeats,
  moreTrial,
  orderOf,
  percentOff,
  told,
} from "./testing/arbitraries.ts";

const telling = { currency: "EUR", zone: "Europe/Berlin" };

test("without a promotion the price is the price", () => {
  const studio = lineOf(12_000, { trialDays: 14 });
  expect(priceOrder(orderOf([studio], []))).toEqual({
    currency: "EUR",
    subtotal: 12_000,
    discount: 0,
    net: 12_000,
    lines: [{ ...studio, subtotal: 12_000, discount: 0, net: 12_000 }],
    trialDays: 14,
    features: [],
    trace: [],
  });
});

test("lines come before the order and amounts before percents, each on what is left", () => {
  const promotions = [
    percentOff("last", 20, { level: "order" }),
    amountOff("third", { EUR: 600 }, { level: "order" }),
    percentOff("second", 10),
    amountOff("first", { EUR: 1000 }),
  ];
  const priced = priceOrder(orderOf([lineOf(10_000)], promotions));
  expect(priced.trace.map(({ name, step, amount }) => [name, step, amount])).toEqual([
    ["first", "line fixed", 1000],
    ["second", "line percent", 900],
    ["third", "order fixed", 600],
    ["last", "order percent", 1500],
  ]);
  expect(priced).toMatchObject({ subtotal: 10_000, discount: 4000, net: 6000 });
});

test("within a step the higher priority comes first, then the lower id", () => {
  const promotions = [
    percentOff("c", 50),
    percentOff("b", 10, { priority: 1 }),
    percentOff("a", 50),
  ];
  const priced = priceOrder(orderOf([lineOf(10_000)], promotions));
  expect(priced.trace.map(({ name, amount }) => [name, amount])).toEqual([
    ["b", 1000],
    ["a", 4500],
    ["c", 2250],
  ]);
});

test("an amount off each line is taken off each, an amount off the order is spread", () => {
  const lines = [lineOf(1000), lineOf(2000, { packageId: "team" })];
  const discounts = (level: Discount["level"]) =>
    priceOrder(orderOf(lines, [amountOff("100 off", { EUR: 100 }, { level })])).lines.map(
      ({ discount }) => discount,
    );
  expect(discounts("line")).toEqual([100, 100]);
  expect(discounts("order")).toEqual([33, 67]);
});

test("half a cent counts as one: for each line, or once for the order", () => {
  const lines = ["a", "b", "c"].map((packageId) => lineOf(5, { packageId }));
  expect(told(lines, [percentOff("ten", 10)])).toEqual({ ten: 3 });
  expect(told(lines, [percentOff("ten", 10, { level: "order" })])).toEqual({ ten: 2 });
});

test("nothing costs less than nothing", () => {
  const promotions = [
    amountOff("a", { EUR: 900 }),
    amountOff("b", { EUR: 900 }),
    percentOff("c", 10),
  ];
  expect(told([lineOf(1000)], promotions)).toEqual({ a: 900, b: 100, c: "nothing left" });
});

test("an exclusive promotion is taken where all the others together do not save more", () => {
  const exclusive = percentOff("alone", 30, { stacking: "exclusive" });
  const small = [percentOff("a", 10), percentOff("b", 15)];
  expect(told([lineOf(1000)], [exclusive, ...small])).toEqual({
    alone: 300,
    a: "beaten",
    b: "beaten",
  });
  const even = [percentOff("a", 10), amountOff("b", { EUR: 200 }, { level: "order" })];
  expect(told([lineOf(1000)], [exclusive, ...even])).toEqual({
    alone: 300,
    a: "beaten",
    b: "beaten",
  });
  const large = [percentOff("a", 20), percentOff("b", 20)];
  expect(told([lineOf(1000)], [exclusive, ...large])).toEqual({ alone: "beaten", a: 200, b: 160 });
});

test("a promotion that could not be used anyway is told so, and not that it was beaten", () => {
  const exclusive = percentOff("alone", 30, { stacking: "exclusive" });
  const spent = percentOff("spent", 10, { budgets: { EUR: 10 } });
  expect(told([lineOf(1000)], [exclusive, spent])).toEqual({ alone: 300, spent: "budget" });
});

test("of exclusive promotions the best one is taken, then the higher priority, then the lower id", () => {
  const exclusive = (id: string, percent: number, priority = 0) =>
    percentOff(id, percent, { stacking: "exclusive", priority });
  const line = [lineOf(1000)];
  expect(told(line, [exclusive("a", 10, 9), exclusive("b", 20)])).toEqual({ a: "beaten", b: 200 });
  expect(told(line, [exclusive("a", 20), exclusive("b", 20, 9)])).toEqual({ a: "beaten", b: 200 });
  expect(told(line, [exclusive("b", 20), exclusive("a", 20)])).toEqual({ a: 200, b: "beaten" });
});

test("what takes no money off goes with everything, unless it is exclusive itself", () => {
  const promotions = [
    percentOff("half", 50, { stacking: "exclusive" }),
    moreTrial("longer", 14),
    moreSeats("seats"),
  ];
  expect(priceOrder(orderOf([lineOf(1000, { trialDays: 7 })], promotions))).toMatchObject({
    discount: 500,
    trialDays: 21,
    lines: [{ trialDays: 21 }],
    features: [{ promotionId: "seats", featureId: "seats", value: 5, days: 30 }],
  });
  const alone = moreTrial("alone", 30, { stacking: "exclusive" });
  expect(told([lineOf(1000)], [alone, ...promotions])).toMatchObject({
    alone: "beaten",
    half: 500,
  });
  expect(told([lineOf(1000)], [alone, moreTrial("longer", 14)])).toEqual({
    alone: 0,
    longer: "beaten",
  });
});

test("more days to try are for the lines that the promotion is for", () => {
  const lines = [lineOf(1000, { trialDays: 7 }), lineOf(500, { packageId: "team", trialDays: 3 })];
  const promotions = [moreTrial("a", 14, { packageIds: ["team"] }), moreTrial("b", 2)];
  const { trialDays, lines: priced } = priceOrder(orderOf(lines, promotions));
  expect(priced.map((line) => line.trialDays)).toEqual([9, 19]);
  expect(trialDays).toBe(9);
});

test("a budget that would not cover the whole discount gives nothing, and others go on without it", () => {
  const limited = (given: number) =>
    percentOff("limited", 10, { priority: 1, budgets: { EUR: 1000 }, given: { EUR: given } });
  const other = percentOff("other", 10);
  expect(told([lineOf(1000)], [limited(900), other])).toEqual({ limited: 100, other: 90 });
  expect(told([lineOf(1000)], [limited(901), other])).toEqual({ limited: "budget", other: 100 });
});

test("a cap is for the whole order, spread by what each line would have had", () => {
  const lines = [lineOf(1000), lineOf(3000, { packageId: "team" })];
  const capped = percentOff("half", 50, { cap: { EUR: 100 } });
  const { discount, lines: priced } = priceOrder(orderOf(lines, [capped]));
  expect(discount).toBe(100);
  expect(priced.map((line) => line.discount)).toEqual([25, 75]);
});

test("only the lines that a promotion is for are counted and lowered", () => {
  const lines = [lineOf(1000), lineOf(3000, { packageId: "team" })];
  const forStudio = percentOff("studio only", 50, {
    packageIds: ["studio"],
    minimum: { EUR: 1000 },
  });
  expect(priceOrder(orderOf(lines, [forStudio])).lines).toMatchObject([
    { net: 500 },
    { net: 3000 },
  ]);
  expect(told(lines, [{ ...forStudio, minimum: { EUR: 1001 } }])).toEqual({
    "studio only": "minimum",
  });
});

test("an order that cannot be counted is a mistake of whoever made it", () => {
  expect(() => priceOrder(orderOf([], []))).toThrow("at least one line");
  const mixed = [lineOf(1), lineOf(1, { currency: "USD" })];
  expect(() => priceOrder(orderOf(mixed, []))).toThrow("one currency");
  const rich = [lineOf(999_999_999_999_999), lineOf(1, { packageId: "team" })];
  expect(() => priceOrder(orderOf(rich, []))).toThrow("more than can be counted");
});

test("a price rises when what lowered it is over", () => {
  const redeemed = [
    amountOff("welcome", { EUR: 2000 }),
    percentOff("quarter", 25, { duration: { kind: "periods", periods: 3 }, budgets: { EUR: 1 } }),
    percentOff("friend", 10, { duration: { kind: "for ever" }, level: "order" }),
  ];
  const purchase = { lines: [lineOf(12_000)], redeemed };
  expect(priceOfNextPeriods(purchase).map(({ period, net }) => [period, net])).toEqual([
    [1, 6750],
    [2, 8100],
    [4, 10_800],
  ]);
  const { trace } = priceOfPeriod(purchase, 4);
  expect(trace.map(({ name, reason, amount }) => [name, reason ?? amount])).toEqual([
    ["welcome", "over"],
    ["quarter", "over"],
    ["friend", 1200],
  ]);
  const sentences = trace.map((entry, place) => {
    const promotion = redeemed[place];
    return promotion ? reasonInLabels(entry, promotion, telling) : "";
  });
  expect(sentences).toEqual([
    "welcome was for the first billing period.",
    "quarter was for the first 3 billing periods.",
    "friend takes 12.00 EUR off.",
  ]);
});

test("what is paid once is in no later period, and has none of its own", () => {
  const setUp = lineOf(5000, { packageId: "set-up", interval: "once" });
  const prices = (lines: Line[]) =>
    priceOfNextPeriods({ lines, redeemed: [] }).map(({ period, net }) => [period, net]);
  expect(prices([setUp, lineOf(1000)])).toEqual([
    [1, 6000],
    [2, 1000],
  ]);
  expect(prices([setUp])).toEqual([[1, 5000]]);
  expect(prices([lineOf(1000)])).toEqual([[1, 1000]]);
});

test.each([
  [
    { net: 1000, taxBasisPoints: 1900 },
    { tax: 190, total: 1190 },
  ],
  [
    { net: 50, taxBasisPoints: 700 },
    { tax: 4, total: 54 },
  ],
  [
    { net: 1000, taxBasisPoints: 0 },
    { tax: 0, total: 1000 },
  ],
  [
    { net: 0, taxBasisPoints: 1900 },
    { tax: 0, total: 0 },
  ],
  [
    { net: 1000, taxAmount: 123 },
    { tax: 123, total: 1123 },
  ],
])("%j is %j with tax", (sale, result) => {
  expect(taxed(sale)).toEqual(result);
});
