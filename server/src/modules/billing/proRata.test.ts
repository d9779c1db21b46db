import { amountMax } from "@purser/contract/fields/amounts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { proRata } from "./periods.ts";

const numRuns = sized({ gate: 500, nightly: 100_000 });
const secondMs = 1000;

const november = { start: new Date("2026-11-01T00:00:00Z"), end: new Date("2026-12-01T00:00:00Z") };

test.each([
  [3000, "2026-11-01T00:00:00Z", 3000],
  [3000, "2026-11-16T00:00:00Z", 1500],
  [3000, "2026-11-30T00:00:00Z", 100],
  [1, "2026-11-16T00:00:00Z", 1],
  [1, "2026-11-16T00:00:01Z", 0],
  [3000, "2026-10-01T00:00:00Z", 3000],
  [3000, "2026-12-01T00:00:00Z", 0],
  [3000, "2027-01-01T00:00:00Z", 0],
  [amountMax, "2026-11-16T00:00:00Z", 500_000_000_000_000],
])("of %i for November, on %s there is %i unused", (amount, at, unused) => {
  expect(proRata({ amount, period: november, at: new Date(at) })).toBe(unused);
});

test("the unused part is rounded half up", () => {
  const second = fc.integer({ min: 0, max: 400 * 86_400 });
  const amounts = fc.oneof(
    fc.nat({ max: 100 }),
    fc.maxSafeNat().map((n) => n % (amountMax + 1)),
  );
  fc.assert(
    fc.property(amounts, second, second, (amount, one, other) => {
      const [rest, length] = one < other ? [one, other] : [other, one + 1];
      const period = { start: new Date(0), end: new Date(length * secondMs) };
      const part = proRata({ amount, period, at: new Date((length - rest) * secondMs) });
      const twice = 2n * BigInt(amount) * BigInt(rest);
      expect(twice >= (2n * BigInt(part) - 1n) * BigInt(length)).toBe(true);
      expect(twice < (2n * BigInt(part) + 1n) * BigInt(length)).toBe(true);
    }),
    { numRuns },
  );
});
