import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Combining,
  cellOf,
  combined,
  type FeatureKind,
  quantityMax,
  rankOf,
  readValue,
  refusalOfValue,
  type Shape,
  unlimited,
  type Value,
  value,
  wordsOf,
} from "./values.ts";

const numRuns = 2000;
const bare = { options: [], unit: null, reset: null };

const shapes = [
  { kind: "switch", combining: "largest" },
  { kind: "limit", combining: "largest" },
  { kind: "limit", combining: "sum" },
  { kind: "metered", combining: "sum" },
  { kind: "choice", combining: "largest" },
] as const satisfies { kind: FeatureKind; combining: Combining }[];

// Codes that look like other values must still work.
const codes = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,8}[a-z0-9]$/) },
  { weight: 1, arbitrary: fc.constantFrom("on", "off", "10", "unlimited", "true", "no") },
);
const optionsOf = fc.uniqueArray(fc.record({ code: codes, name: fc.oneof(codes, fc.string()) }), {
  minLength: 2,
  maxLength: 8,
  selector: ({ code }) => code,
});

const quantities = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 1000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: quantityMax }) },
  { weight: 1, arbitrary: fc.constantFrom<Value>(0, 1, quantityMax, unlimited) },
);

const valuesOf = ({ kind, options }: Pick<Shape, "kind" | "options">): fc.Arbitrary<Value> => {
  if (kind === "switch") return fc.boolean();
  return kind === "choice" ? fc.constantFrom(...options.map(({ code }) => code)) : quantities;
};

/** A feature of that kind with valid values. */
const featureWith = ({ kind, combining }: (typeof shapes)[number], count: number) =>
  (kind === "choice" ? optionsOf : fc.constant([])).chain((options) => {
    const shape = { kind, combining, options };
    const values = fc.array(valuesOf(shape), { minLength: count, maxLength: count });
    return values.map(([first = true, ...rest]): [typeof shape, [Value, ...Value[]]] => [
      shape,
      [first, ...rest],
    ]);
  });

describe.each(shapes)("values of a $kind that combine to the $combining", (kind) => {
  test("combine to the same value in any grouping", () => {
    fc.assert(
      fc.property(featureWith(kind, 3), ([shape, [a, b = a, c = a]]) => {
        const all = combined(shape, [a, b, c]);
        expect(combined(shape, [combined(shape, [a, b]), c])).toBe(all);
        expect(combined(shape, [a, combined(shape, [b, c])])).toBe(all);
      }),
      { numRuns },
    );
  });

  test("combine to the same value in any order", () => {
    fc.assert(
      fc.property(featureWith(kind, 5), ([shape, values]) => {
        const [last, ...others] = values.toReversed();
        expect(combined(shape, [last ?? values[0], ...others])).toBe(combined(shape, values));
      }),
      { numRuns },
    );
  });

  test("never combine to less with one more, and always to a valid value", () => {
    fc.assert(
      fc.property(featureWith(kind, 4), ([shape, [one, ...others]]) => {
        const more = combined(shape, [one, ...others]);
        expect(rankOf(shape, more)).toBeGreaterThanOrEqual(
          rankOf(shape, combined(shape, [one, ...others.slice(1)])),
        );
        expect(refusalOfValue(shape, more)).toBeNull();
        expect(value.parse(more)).toBe(more);
      }),
      { numRuns },
    );
  });

  test("are read back from their spreadsheet cell", () => {
    fc.assert(
      fc.property(featureWith(kind, 1), ([shape, [given]]) => {
        expect(readValue(shape, cellOf(given))).toBe(given);
        expect(readValue(shape, `  ${cellOf(given).toUpperCase()} `)).toBe(given);
      }),
      { numRuns },
    );
  });
});

test("one grant of a switch gives its own value", () => {
  expect(combined({ kind: "switch", combining: "largest", options: [] }, [false])).toBe(false);
});

const limit = { ...bare, kind: "limit" } as const;

test.each([
  ["largest", [1, 5, 3], 5],
  ["largest", [1, unlimited, 3], unlimited],
  ["sum", [1, 5, 3], 9],
  ["sum", [1, unlimited], unlimited],
  ["sum", [quantityMax, 0], quantityMax],
  // More than the maximum is unlimited.
  ["sum", [quantityMax, 1], unlimited],
] as const)("combines by %s the limits %j to %s", (combining, [first, ...rest], together) => {
  expect(combined({ ...limit, combining }, [first, ...rest])).toBe(together);
});

const seats = { ...limit, unit: { one: "seat", many: "seats" } };
const exports = {
  ...bare,
  kind: "metered",
  reset: "month",
  unit: { one: "export", many: "exports" },
} as const;
const tier = {
  ...bare,
  kind: "choice",
  options: [
    { code: "bronze", name: "Bronze" },
    { code: "unlimited", name: "As you like" },
  ],
} as const;

test.each([
  [{ ...bare, kind: "switch" }, true, "On"],
  [{ ...bare, kind: "switch" }, false, "Off"],
  [limit, 0, "0"],
  [limit, 1_234_567, "1,234,567"],
  [seats, 0, "0 seats"],
  [seats, 1, "1 seat"],
  [seats, 25, "25 seats"],
  [seats, unlimited, "Unlimited"],
  [exports, 1, "1 export a month"],
  [exports, 500, "500 exports a month"],
  [exports, unlimited, "Unlimited"],
  [{ ...exports, unit: null, reset: "hour" }, 60, "60 an hour"],
  [{ ...exports, reset: "never" }, 10, "10 exports"],
  [tier, "bronze", "Bronze"],
  [tier, "unlimited", "As you like"],
  [tier, "gone", "gone"],
] as const)("writes for %j the value %j as %s", (shape, given, words) => {
  expect(wordsOf(shape, given)).toBe(words);
});

test.each([
  ["switch", "Yes", true],
  ["switch", "✓", true],
  ["switch", " x ", true],
  ["switch", "–", false],
  ["switch", "0", false],
  ["switch", "maybe", undefined],
  ["switch", "", undefined],
  ["limit", "1,000", 1000],
  ["limit", "1'000'000", 1_000_000],
  ["limit", "12\u00a0500", 12_500],
  ["limit", "0", 0],
  ["limit", "007", 7],
  ["limit", "No limit", unlimited],
  ["limit", "∞", unlimited],
  ["limit", "Unbegrenzt", unlimited],
  ["limit", "1.5", undefined],
  ["limit", "10,00", undefined],
  ["limit", "-1", undefined],
  ["limit", "1e3", undefined],
  ["limit", "9999999999999999", undefined],
  ["limit", "", undefined],
  ["choice", "BRONZE", "bronze"],
  ["choice", "as you like", "unlimited"],
  ["choice", "gold", undefined],
] as const)("reads for a %s %j as %s", (kind, typed, meant) => {
  expect(readValue({ kind, options: kind === "choice" ? tier.options : [] }, typed)).toBe(meant);
});

test("prefers an option's code to another option's name", () => {
  const options = [
    { code: "one", name: "two" },
    { code: "two", name: "one" },
  ];
  expect(readValue({ kind: "choice", options }, "two")).toBe("two");
});

test.each([
  ["switch", true, null],
  ["switch", 1, "Choose on or off."],
  ["switch", unlimited, "Choose on or off."],
  ["limit", 0, null],
  ["limit", unlimited, null],
  ["limit", true, "Enter a whole number, or “unlimited”."],
  ["metered", "many", "Enter a whole number, or “unlimited”."],
  ["choice", "bronze", null],
  ["choice", "Bronze", "Choose one of the options."],
  ["choice", 1, "Choose one of the options."],
] as const)("refuses for a %s the value %j: %s", (kind, given, refusal) => {
  expect(refusalOfValue({ kind, options: kind === "choice" ? tier.options : [] }, given)).toBe(
    refusal,
  );
});
