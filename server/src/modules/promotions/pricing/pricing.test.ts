import { expect, test } from "vitest";
import type { Discount } from "./conditions.ts";
import { priceOrder } from "./pricing.ts";
import {
  amountOff,
  lineOf,
  moreSeats,
  moreTrial,
  orderOf,
  outcomesOf,
  percentOff,
} from "./testing/arbitraries.ts";

test("without promotions the price is unchanged", () => {
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

test("applies line discounts before order discounts and amounts before percentages", () => {
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

test("within a step, applies the higher priority first, then the lower ID", () => {
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

test("takes a line amount off each line and spreads an order amount", () => {
  const lines = [lineOf(1000), lineOf(2000, { packageId: "team" })];
  const discounts = (level: Discount["level"]) =>
    priceOrder(orderOf(lines, [amountOff("100 off", { EUR: 100 }, { level })])).lines.map(
      ({ discount }) => discount,
    );
  expect(discounts("line")).toEqual([100, 100]);
  expect(discounts("order")).toEqual([33, 67]);
});

test("rounds half a cent up, per line or once for the order", () => {
  const lines = ["a", "b", "c"].map((packageId) => lineOf(5, { packageId }));
  expect(outcomesOf(lines, [percentOff("ten", 10)])).toEqual({ ten: 3 });
  expect(outcomesOf(lines, [percentOff("ten", 10, { level: "order" })])).toEqual({ ten: 2 });
});

test("never prices below zero", () => {
  const promotions = [
    amountOff("a", { EUR: 900 }),
    amountOff("b", { EUR: 900 }),
    percentOff("c", 10),
  ];
  expect(outcomesOf([lineOf(1000)], promotions)).toEqual({ a: 900, b: 100, c: "nothing left" });
});

test("prefers an exclusive promotion unless all others together save more", () => {
  const exclusive = percentOff("alone", 30, { stacking: "exclusive" });
  const small = [percentOff("a", 10), percentOff("b", 15)];
  expect(outcomesOf([lineOf(1000)], [exclusive, ...small])).toEqual({
    alone: 300,
    a: "beaten",
    b: "beaten",
  });
  const even = [percentOff("a", 10), amountOff("b", { EUR: 200 }, { level: "order" })];
  expect(outcomesOf([lineOf(1000)], [exclusive, ...even])).toEqual({
    alone: 300,
    a: "beaten",
    b: "beaten",
  });
  const large = [percentOff("a", 20), percentOff("b", 20)];
  expect(outcomesOf([lineOf(1000)], [exclusive, ...large])).toEqual({
    alone: "beaten",
    a: 200,
    b: 160,
  });
});

test("a promotion that couldn't apply anyway says why instead of 'beaten'", () => {
  const exclusive = percentOff("alone", 30, { stacking: "exclusive" });
  const spent = percentOff("spent", 10, { budgets: { EUR: 10 } });
  expect(outcomesOf([lineOf(1000)], [exclusive, spent])).toEqual({ alone: 300, spent: "budget" });
});

test("chooses the best exclusive promotion, then the higher priority, then the lower ID", () => {
  const exclusive = (id: string, percent: number, priority = 0) =>
    percentOff(id, percent, { stacking: "exclusive", priority });
  const line = [lineOf(1000)];
  expect(outcomesOf(line, [exclusive("a", 10, 9), exclusive("b", 20)])).toEqual({
    a: "beaten",
    b: 200,
  });
  expect(outcomesOf(line, [exclusive("a", 20), exclusive("b", 20, 9)])).toEqual({
    a: "beaten",
    b: 200,
  });
  expect(outcomesOf(line, [exclusive("b", 20), exclusive("a", 20)])).toEqual({
    a: 200,
    b: "beaten",
  });
});

test("combines trials and features with everything, unless they are exclusive", () => {
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
  expect(outcomesOf([lineOf(1000)], [alone, ...promotions])).toMatchObject({
    alone: "beaten",
    half: 500,
  });
  expect(outcomesOf([lineOf(1000)], [alone, moreTrial("longer", 14)])).toEqual({
    alone: 0,
    longer: "beaten",
  });
});

test("extends the trial only of the lines that the promotion applies to", () => {
  const lines = [lineOf(1000, { trialDays: 7 }), lineOf(500, { packageId: "team", trialDays: 3 })];
  const promotions = [moreTrial("a", 14, { packageIds: ["team"] }), moreTrial("b", 2)];
  const { trialDays, lines: priced } = priceOrder(orderOf(lines, promotions));
  expect(priced.map((line) => line.trialDays)).toEqual([9, 19]);
  expect(trialDays).toBe(9);
});

test("skips a promotion whose budget doesn't cover the whole discount", () => {
  const limited = (given: number) =>
    percentOff("limited", 10, { priority: 1, budgets: { EUR: 1000 }, given: { EUR: given } });
  const other = percentOff("other", 10);
  expect(outcomesOf([lineOf(1000)], [limited(900), other])).toEqual({ limited: 100, other: 90 });
  expect(outcomesOf([lineOf(1000)], [limited(901), other])).toEqual({
    limited: "budget",
    other: 100,
  });
});

test("caps the discount of the whole order and spreads it by line", () => {
  const lines = [lineOf(1000), lineOf(3000, { packageId: "team" })];
  const capped = percentOff("half", 50, { cap: { EUR: 100 } });
  const { discount, lines: priced } = priceOrder(orderOf(lines, [capped]));
  expect(discount).toBe(100);
  expect(priced.map((line) => line.discount)).toEqual([25, 75]);
});

test("counts and discounts only the lines that the promotion applies to", () => {
  const lines = [lineOf(1000), lineOf(3000, { packageId: "team" })];
  const forStudio = percentOff("studio only", 50, {
    packageIds: ["studio"],
    minimum: { EUR: 1000 },
  });
  expect(priceOrder(orderOf(lines, [forStudio])).lines).toMatchObject([
    { net: 500 },
    { net: 3000 },
  ]);
  expect(outcomesOf(lines, [{ ...forStudio, minimum: { EUR: 1001 } }])).toEqual({
    "studio only": "minimum",
  });
});

test("throws for an empty, mixed or too large order", () => {
  expect(() => priceOrder(orderOf([], []))).toThrow("at least one line");
  const mixed = [lineOf(1), lineOf(1, { currency: "USD" })];
  expect(() => priceOrder(orderOf(mixed, []))).toThrow("one currency");
  const rich = [lineOf(999_999_999_999_999), lineOf(1, { packageId: "team" })];
  expect(() => priceOrder(orderOf(rich, []))).toThrow("more than can be counted");
});
