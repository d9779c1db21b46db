import { amountMax } from "@purser/contract/fields/amounts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { allocate } from "./calculate.ts";

const numRuns = sized({ gate: 500, nightly: 100_000 });

test.each([
  [100, [1, 1, 1], [34, 33, 33]],
  [100, [1000, 2000], [33, 67]],
  [2, [1, 3], [1, 1]],
  [5, [0, 10, 0], [0, 5, 0]],
  [3, [5, 5, 5, 5, 5], [1, 1, 1, 0, 0]],
  [0, [0, 0], [0, 0]],
  [0, [], []],
  [amountMax - 1, [7, 7, 7], [333_333_333_333_333, 333_333_333_333_333, 333_333_333_333_332]],
])("splits %i by %j into %j", (amount, weights, parts) => {
  expect(allocate(amount, weights)).toEqual(parts);
});

test("refuses to split an amount by zero weights", () => {
  expect(() => allocate(1, [0, 0])).toThrow("weights that are all 0");
});

const amount = fc.oneof(
  fc.nat({ max: 20 }),
  fc.maxSafeNat().map((n) => n % (amountMax + 1)),
);
const weights = fc
  .array(amount, { minLength: 1, maxLength: 8 })
  .filter((some) => some.some((weight) => weight > 0));

test("the parts sum to the amount exactly, and each is within one unit of its exact share", () => {
  fc.assert(
    fc.property(amount, weights, (amount, weights) => {
      const parts = allocate(amount, weights);
      expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(amount));
      const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
      for (const [place, part] of parts.entries()) {
        const apart = BigInt(part) * whole - BigInt(amount) * BigInt(weights[place] ?? 0);
        expect(apart < whole && apart > -whole).toBe(true);
      }
    }),
    { numRuns },
  );
});

test("rounds up the parts with the largest remainders, first ones first", () => {
  fc.assert(
    fc.property(amount, weights, (amount, weights) => {
      const parts = allocate(amount, weights);
      const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
      const shares = weights.map((weight, place) => {
        const exact = BigInt(amount) * BigInt(weight);
        const isRoundedUp = BigInt(parts[place] ?? 0) > exact / whole;
        return { place, isRoundedUp, remainder: exact % whole };
      });
      for (const up of shares.filter(({ isRoundedUp }) => isRoundedUp))
        for (const down of shares.filter(({ isRoundedUp }) => !isRoundedUp))
          expect(
            up.remainder > down.remainder ||
              (up.remainder === down.remainder && up.place < down.place),
          ).toBe(true);
    }),
    { numRuns },
  );
});
