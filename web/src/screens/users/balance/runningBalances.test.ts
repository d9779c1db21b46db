import { expect, test } from "vitest";
import type { Balance } from "#screens/transactions/queries.ts";
import { runningBalances } from "./runningBalances.ts";

const entry = (id: string, currency: string, amount: number) =>
  ({ id, currency, amount }) as Balance["entries"][number];

test("each entry has the balance of its currency after it", () => {
  const shown = runningBalances({
    items: [{ currency: "EUR", amount: 300 }],
    entries: [
      entry("4", "EUR", -200),
      entry("3", "USD", -700),
      entry("2", "EUR", 500),
      entry("1", "USD", 700),
    ],
  });
  expect(shown.map(({ id, after }) => [id, after])).toEqual([
    ["4", 300],
    ["3", 0],
    ["2", 500],
    ["1", 700],
  ]);
});
