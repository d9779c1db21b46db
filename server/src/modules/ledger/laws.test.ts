import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { type Product, product } from "./testing/books.testing.ts";
import { allCases, casesOf } from "./testing/cases.testing.ts";
import { faults } from "./testing/faults.testing.ts";
import { anyHistory, type History } from "./testing/history.testing.ts";
import { storyOf, violationsOf } from "./testing/laws.testing.ts";
import { leftAfterRefunds } from "./testing/refundEverything.testing.ts";
import { differencesAfterReplay, type Replay } from "./testing/replay.testing.ts";
import { play } from "./testing/run.testing.ts";

const numRuns = sized({ gate: 2000, nightly: 100_000 });

const anyReplay: fc.Arbitrary<Replay> = fc.record({
  from: fc.nat({ max: 8 }),
  order: fc.nat({ max: 50 }),
});

test("all money is accounted for as the oracle says, and no time is credited or paid twice", () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(anyHistory, (history) => {
      const run = play(history);
      for (const name of casesOf(run)) reached.add(name);
      const violations = violationsOf(run).map(
        ({ law, faults }) => `Violated: ${law}\n${faults.join("\n")}`,
      );
      if (violations.length > 0) throw new Error(violations.join("\n") + storyOf(run));
    }),
    { numRuns },
  );
  expect(allCases.filter((name) => !reached.has(name))).toEqual([]);
});

test("refunding everything leaves no revenue, tax or balance", () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      expect(leftAfterRefunds(history)).toEqual([]);
    }),
    { numRuns },
  );
});

test("reports of providers have the same effect in any order, and however often they arrive", () => {
  fc.assert(
    fc.property(anyHistory, anyReplay, (history, replay) => {
      expect(differencesAfterReplay(history, replay)).toEqual([]);
    }),
    { numRuns },
  );
});

const isViolated = (law: string, history: History, replay: Replay, functions: Product) => {
  switch (law) {
    case "everything can be refunded":
      return leftAfterRefunds(history, functions).length > 0;
    case "reports count once, in any order":
      return differencesAfterReplay(history, replay, functions).length > 0;
    default:
      return violationsOf(play(history, { product: functions })).some((one) => one.law === law);
  }
};

test.each(Object.entries(faults))("finds %s", (_, { law, of }) => {
  const functions = { ...product, ...of };
  const { errorInstance } = fc.check(
    fc.property(anyHistory, anyReplay, (history, replay) => {
      if (isViolated(law, history, replay, functions)) throw new Error(law);
    }),
    { numRuns: 2000, endOnFailure: true },
  );
  expect(errorInstance).toEqual(new Error(law));
});
