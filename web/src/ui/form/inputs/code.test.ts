import { expect, test } from "vitest";
import { codeFor } from "./code.ts";

test.each([
  ["Signal Desk", "signal-desk"],
  ["  Été & Söhne!  ", "ete-sohne"],
  ["---", ""],
  ["A".repeat(80), "a".repeat(64)],
  [`${"a".repeat(63)} b`, "a".repeat(63)],
])("the name %j suggests the code %j", (name, code) => {
  expect(codeFor(name)).toBe(code);
});
