import { expect, test } from "vitest";
import type { Line } from "./conditions.ts";
import { traceMessage } from "./labels.ts";
import { priceOfNextPeriods, priceOfPeriod } from "./pricing.ts";
import { amountOff, lineOf, percentOff } from "./testing/arbitraries.ts";

test("the price rises when a discount ends", () => {
  const redeemed = [
    amountOff("welcome", { EUR: 2000 }),
    percentOff("quarter", 25, { duration: { kind: "periods", periods: 3 }, budgets: { EUR: 1 } }),
    percentOff("friend", 10, { duration: { kind: "forever" }, level: "order" }),
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
    return promotion ? traceMessage(entry, promotion, "EUR").text : "";
  });
  expect(sentences).toEqual([
    "welcome applied only to the first billing period.",
    "quarter applied only to the first 3 billing periods.",
    "friend takes 12.00 EUR off.",
  ]);
});

test("a one-time price isn't charged again in later periods", () => {
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
