import { rankOf } from "@purser/contract/fields/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../runs.testing.ts";
import { entitledTo } from "./entitle.ts";
import { anyFeature, anyValueOf } from "./testing/arbitraries.ts";

const numRuns = sized({ gate: 500, nightly: 100_000 });

/** A feature with the values of several grants. */
const granted = anyFeature("seats").chain((feature) =>
  fc.tuple(
    fc.constant(feature),
    fc.array(anyValueOf(feature), { minLength: 1, maxLength: 6 }),
    anyValueOf(feature),
  ),
);

test("combines grants independently of their order", () => {
  fc.assert(
    fc.property(granted, fc.infiniteStream(fc.nat()), ([feature, values], order) => {
      const shuffled = values
        .map((value) => ({ value, place: order.next().value ?? 0 }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ value }) => value);
      expect(entitledTo(feature, shuffled)).toEqual(entitledTo(feature, values));
    }),
    { numRuns },
  );
});

test("never lowers an entitlement by adding a grant", () => {
  fc.assert(
    fc.property(granted, ([feature, values, more]) => {
      const before = rankOf(feature, entitledTo(feature, values));
      expect(rankOf(feature, entitledTo(feature, [...values, more]))).toBeGreaterThanOrEqual(
        before,
      );
    }),
    { numRuns },
  );
});

test("applies the default value only without any grant", () => {
  fc.assert(
    fc.property(granted, ([feature, , only]) => {
      expect(entitledTo(feature, [])).toBe(feature.defaultValue);
      expect(entitledTo(feature, [only])).toBe(only);
    }),
    { numRuns },
  );
});
