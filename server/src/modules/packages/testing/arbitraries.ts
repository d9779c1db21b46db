import { type Option, quantityMax, unlimited, type Value } from "@purser/contract/fields/values";
import fc from "fast-check";
import type { Feature } from "../entitle.ts";

const optionsOf = (count: number): Option[] =>
  Array.from({ length: count }, (_, place) => ({ code: `o-${place}`, name: `Option ${place}` }));

/** Small numbers, so that values are often equal; sometimes the maximum or unlimited. */
const quantity = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 6 }) },
  { weight: 1, arbitrary: fc.constant(quantityMax) },
  { weight: 1, arbitrary: fc.constant(unlimited) },
);

/** Any valid value of the feature. */
export const anyValueOf = ({
  kind,
  options,
}: Pick<Feature, "kind" | "options">): fc.Arbitrary<Value> => {
  if (kind === "switch") return fc.boolean();
  if (kind === "choice") return fc.constantFrom(...options.map(({ code }) => code));
  return quantity;
};

const without = { options: [], reset: null, unit: null };

const shapes: fc.Arbitrary<Omit<Feature, "id" | "defaultValue">> = fc.oneof(
  fc.constantFrom(
    { kind: "switch" as const, combining: "largest" as const, ...without },
    { kind: "limit" as const, combining: "largest" as const, ...without },
    { kind: "limit" as const, combining: "sum" as const, ...without },
    { kind: "metered" as const, combining: "sum" as const, ...without, reset: "month" as const },
  ),
  fc.integer({ min: 2, max: 4 }).map((count) => ({
    ...without,
    kind: "choice" as const,
    combining: "largest" as const,
    options: optionsOf(count),
  })),
);

/** A feature of any kind and combining, with a valid default value. */
export const anyFeature = (id: string): fc.Arbitrary<Feature> =>
  shapes.chain((shape) =>
    anyValueOf(shape).map((defaultValue) => ({ id, defaultValue, ...shape })),
  );

/** Several arbitraries as one list. */
export const all = <T>(arbitraries: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T[]> =>
  fc.tuple(...arbitraries);

/** The content of a version: some of the features with valid values. */
export const anyValuesOf = (features: readonly Feature[]): fc.Arbitrary<Map<string, Value>> =>
  all(features.map((one) => fc.option(anyValueOf(one), { nil: null, freq: 3 }))).map((given) => {
    const values = new Map<string, Value>();
    for (const [place, { id }] of features.entries()) {
      const value = given[place] ?? null;
      if (value !== null) values.set(id, value);
    }
    return values;
  });
