import { expect, test } from "vitest";
import { csvOf, exact } from "./csv.ts";

test("a table is written with exact amounts, quotes and no formulas", () => {
  const rows = [
    ['Studio, "large"', exact(123_456, "EUR"), 0.398],
    ["=1+1", exact(-5, "JPY"), null],
  ];
  expect(csvOf(["Package", "Net revenue", "Share"], rows)).toBe(
    'Package,Net revenue,Share\r\n"Studio, ""large""",1234.56,0.398\r\n\'=1+1,-5,\r\n',
  );
});
