import { expect, test } from "vitest";
import { code, email, secretText, text, unfinished } from "./text.ts";

const name = text({ min: 1, max: 10 });
const note = text({ max: 20, lines: true });

const charOf = (point: number) => String.fromCodePoint(point);

test.each([
  ["NUL", charOf(0)],
  ["a C0 control", charOf(0x1b)],
  ["DEL", charOf(0x7f)],
  ["a C1 control", charOf(0x85)],
  ["a right-to-left override", charOf(0x202e)],
  ["an isolate", charOf(0x2066)],
  ["a zero-width space", charOf(0x200b)],
  ["a byte order mark", charOf(0xfeff)],
  ["a line separator", charOf(0x2028)],
  ["the first half of a pair", "\ud83d"],
  ["the second half of a pair", "\ude00"],
])("T28 refuses %s in names and notes", (_what, character) => {
  expect(name.safeParse(`a${character}b`).success).toBe(false);
  expect(note.safeParse(`a${character}b`).success).toBe(false);
  expect(secretText({ max: 20 }).safeParse(`a${character}b`).success).toBe(false);
  expect(unfinished.parse(`a${character}b`)).toBe("ab");
});

test("T28 keeps lines and spaces of unsaved text and normalizes it", () => {
  expect(unfinished.parse(" Cafe\u0301\n\t😀 ")).toBe(" Café\n\t😀 ");
});

test("T28 trims and normalizes text and counts characters, not code units", () => {
  expect(name.parse("  Cafe\u0301  ")).toBe("Café");
  expect(name.parse("😀".repeat(10))).toHaveLength(20);
  expect(name.safeParse("😀".repeat(11)).success).toBe(false);
  expect(name.safeParse("   ").success).toBe(false);
});

test("allows several lines only in notes", () => {
  expect(name.safeParse("a\nb").success).toBe(false);
  expect(note.parse("a\nb\tc")).toBe("a\nb\tc");
});

test.each(["ab", "a-b_c9", "0x", "a".repeat(64)])("accepts the code %s", (value) => {
  expect(code.safeParse(value).success).toBe(true);
});

test.each(["", "a", "-ab", "ab-", "Ab", "a b", "ä1", "a".repeat(65), "ab\n"])(
  "%j is no code",
  (value) => {
    expect(code.safeParse(value).success).toBe(false);
  },
);

test("converts email addresses to lower case", () => {
  expect(email.parse("Ada@Example.COM")).toBe("ada@example.com");
  for (const wrong of [
    "ada",
    "ada@",
    "@example.com",
    "a da@example.com",
    "ada@exämple.com",
    "ada@example.com\u0000",
  ])
    expect(email.safeParse(wrong).success, wrong).toBe(false);
});
