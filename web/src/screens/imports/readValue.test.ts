import { expect, test } from "vitest";
import { readText } from "./readValue.ts";

const european = { decimalMark: "comma", dateOrder: "day first" } as const;

test.each([
  ["amount", "1.234,50 €", "1,234.50"],
  ["amount", "12", null],
  ["amount", `0,${"1".repeat(200)}`, "0.11111111"],
  ["amount", "12.50", null],
  ["date", "01.03.2024", "Mar 1, 2024"],
  ["date", "2024-03-01", null],
  ["date", "someday", null],
  ["description", "01.03.2024", null],
])("shows how the %s %s is read", (field, typed, read) => {
  expect(readText(field, typed, european)).toBe(read);
});
