import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../runs.testing.ts";
import { generateCode, normalizeCode } from "./codes.ts";

const numRuns = sized({ gate: 500, nightly: 100_000 });

test.each([
  ["SUMMER25", "SUMMER25"],
  ["  summer25 ", "SUMMER25"],
  ["Summer-25", "SUMMER25"],
  ["sum mer\u00a025", "SUMMER25"],
  ["summer\u201325", "SUMMER25"],
  ["summer\u221225", "SUMMER25"],
  ["summer\u200b25", "SUMMER25"],
  ["summer\u00ad25", "SUMMER25"],
  ["ｓｕｍｍｅｒ２５", "SUMMER25"],
  ["straße", "STRASSE"],
  ["abc", "ABC"],
  ["a".repeat(40), "A".repeat(40)],
])("reads %j as the code %s", (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
});

test.each([
  "",
  "   ",
  "--",
  "ab",
  "a-b",
  "a".repeat(41),
  "sommer_25",
  "été25",
  "SUMM\u0415R25",
  "25%",
])("refuses %j as a code", (typed) => {
  expect(normalizeCode(typed)).toBeNull();
});

const dashes = ["-", "\u2010", "\u2011", "\u2013", "\u2014", "\u2212", "\uff0d", "\ufe58"];
const spaces = [" ", "\t", "\n", "\u00a0", "\u2003", "\u202f", "\u3000"];

const character = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
const anyCode = fc.string({ unit: character, minLength: 3, maxLength: 40 });

test("ignores grouping and case of a code", () => {
  const between = fc.array(fc.constantFrom(...dashes, ...spaces), { maxLength: 3 });
  const grouped = fc
    .tuple(anyCode, fc.array(between, { minLength: 41, maxLength: 41 }), fc.boolean())
    .map(([code, gaps, isSmall]) => {
      const typed = gaps.map((gap, place) => `${gap.join("")}${code.charAt(place)}`).join("");
      return [code, isSmall ? typed.toLowerCase() : typed] as const;
    });
  fc.assert(
    fc.property(grouped, ([code, typed]) => {
      expect(normalizeCode(typed)).toBe(code);
    }),
    { numRuns },
  );
});

test("normalizing twice changes nothing", () => {
  const anything = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), anyCode);
  fc.assert(
    fc.property(anything, (typed) => {
      const code = normalizeCode(typed);
      if (code !== null) expect(normalizeCode(code)).toBe(code);
    }),
    { numRuns },
  );
});

test("generates a valid code in groups", () => {
  const code = generateCode(randomInt);
  expect(code).toMatch(/^(?:[2-9A-Z]{4}-){3}[2-9A-Z]$/);
  expect(normalizeCode(code)).toBe(code.replaceAll("-", ""));
});

test("a generated code has at least 60 bits and no look-alikes", () => {
  let size = 0;
  const drawn = (place: number) =>
    generateCode((below) => {
      size = below;
      return place;
    }).replaceAll("-", "");
  const { length } = drawn(0);
  expect(length * Math.log2(size)).toBeGreaterThanOrEqual(60);

  // Each number gives a different character, so that no bit is lost.
  const characters = new Set(Array.from({ length: size }, (_, place) => drawn(place).charAt(0)));
  expect(characters.size).toBe(size);
  for (const lookAlike of "0O1ILU") expect(characters).not.toContain(lookAlike);
});

test("each random number decides one character", () => {
  const draw = fc.nat({ max: 29 });
  const draws = fc.array(draw, { minLength: 13, maxLength: 13 });
  const codeOf = (numbers: readonly number[]) => {
    const rest = numbers.values();
    return generateCode(() => rest.next().value ?? 0);
  };
  fc.assert(
    fc.property(draws, fc.nat({ max: 12 }), draw, (numbers, place, other) => {
      const isSame = numbers[place] === other;
      expect(codeOf(numbers) === codeOf(numbers.with(place, other))).toBe(isSame);
    }),
    { numRuns },
  );
});
