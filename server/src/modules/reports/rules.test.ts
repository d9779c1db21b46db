import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addMeasures,
  daysOf,
  mrrPeriods,
  noMeasures,
  periodsOf,
  previousOf,
  weightsOf,
} from "./rules.ts";
import { splitMeasures } from "./splitMeasures.ts";

test.each([
  [{}, "2026-10-20", "2026-11-18"],
  [{ until: "2026-02-28" }, "2026-01-30", "2026-02-28"],
  [{ from: "2026-11-01" }, "2026-11-01", "2026-11-18"],
  [{ from: "2026-12-24" }, "2026-12-24", "2026-12-24"],
])("the days of %j are %s to %s", (given, from, until) => {
  expect(daysOf(given, "2026-11-18")).toEqual({ from, until });
});

test.each([
  ["previous", "2026-11-01", "2026-11-30", "2026-10-02", "2026-10-31"],
  ["year", "2028-02-29", "2028-03-01", "2027-02-28", "2027-03-01"],
] as const)("the %s period of %s to %s is %s to %s", (compare, from, until, start, end) => {
  expect(previousOf({ from, until }, compare)).toEqual({ from: start, until: end });
});

test.each([
  ["day", ["2026-11-29", "2026-11-30", "2026-12-01"]],
  ["week", ["2026-11-23", "2026-11-30"]],
  ["month", ["2026-11-01", "2026-12-01"]],
] as const)("periods of a %s start at %j", (unit, days) => {
  expect(periodsOf({ from: "2026-11-29", until: "2026-12-01" }, unit)).toEqual(days);
});

test.each([
  [
    "list price",
    [600, 400],
    [
      { listPrice: 600, features: 1 },
      { listPrice: 400, features: 9 },
    ],
  ],
  [
    "list price",
    [1, 1],
    [
      { listPrice: 600, features: 1 },
      { listPrice: null, features: 9 },
    ],
  ],
  [
    "features",
    [1, 9],
    [
      { listPrice: 600, features: 1 },
      { listPrice: 400, features: 9 },
    ],
  ],
  [
    "features",
    [1, 1],
    [
      { listPrice: 600, features: 0 },
      { listPrice: 400, features: 9 },
    ],
  ],
  [
    "equal parts",
    [1, 1],
    [
      { listPrice: 600, features: 1 },
      { listPrice: 400, features: 9 },
    ],
  ],
] as const)("by %s the weights are %j", (rule, weights, apps) => {
  expect(weightsOf(apps, rule)).toEqual(weights);
});

const anyAmount = fc.integer({ min: -1_000_000, max: 1_000_000 });
const anyMeasures = fc
  .record({ charged: anyAmount, tax: anyAmount, refunds: anyAmount, disputes: anyAmount })
  .map((given) => ({
    ...noMeasures,
    ...given,
    net: given.charged - given.tax - given.refunds - given.disputes,
  }));

test("the parts of apps add up to the package, and each of them to its net revenue", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(anyMeasures, weights, (measures, given) => {
      const parts = splitMeasures(measures, given);
      const sum = parts.reduce(addMeasures, { ...noMeasures });
      expect({ ...sum, payments: 0, refundCount: 0, disputeCount: 0 }).toEqual(measures);
      for (const { charged, tax, refunds, disputes, net } of parts)
        expect(charged - tax - refunds - disputes).toBe(net);
    }),
  );
});

test("opening and movements are the closing of every period", () => {
  const kinds = ["new", "expansion", "reactivation", "contraction", "churn"] as const;
  const moved = fc.array(
    fc.record({
      day: fc.constantFrom("", "2026-10-01", "2026-11-01"),
      kind: fc.constantFrom(...kinds),
      amount: anyAmount,
      customers: fc.nat({ max: 50 }),
      subscribers: fc.integer({ min: -50, max: 50 }),
    }),
  );
  fc.assert(
    fc.property(moved, (rows) => {
      const periods = mrrPeriods(rows, { from: "2026-10-05", until: "2026-11-18" }, "month");
      expect(periods.map(({ day, until }) => [day, until])).toEqual([
        ["2026-10-05", "2026-10-31"],
        ["2026-11-01", "2026-11-18"],
      ]);
      for (const period of periods) {
        const amounts = kinds.map((kind) => period[kind].amount);
        expect(period.opening + amounts.reduce((sum, amount) => sum + amount, 0)).toBe(
          period.closing,
        );
      }
      expect(periods[0]?.closing).toBe(periods[1]?.opening);
    }),
  );
});
