import { expect, test } from "vitest";
import { countedRowsMax, countedRowsOf, type Node } from "./plans.ts";

const node = (type: string, rows: number, ...plans: Node[]): Node => ({
  "Node Type": type,
  "Actual Rows": rows,
  "Actual Loops": 1,
  Plans: plans,
});

test("LS5 a count of all rows is found, and one that ends at a limit is within the bound", () => {
  const scan = node("Index Only Scan", 200_000);
  const whole = node("Limit", 25, node("Aggregate", 1, scan));
  expect(countedRowsOf({ plan: whole })).toBe(200_000);
  const limited = node("Aggregate", 1, node("Limit", countedRowsMax, scan));
  expect(countedRowsOf({ plan: limited })).toBe(countedRowsMax);
  expect(countedRowsOf({ plan: scan })).toBe(0);
});
