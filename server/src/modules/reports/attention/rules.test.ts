import { expect, test } from "vitest";
import { byUrgency } from "./rules.ts";

const now = new Date("2026-11-14T12:00:00Z");
const later = new Date("2026-11-16T00:00:00Z");
const eur = (amount: number) => [{ currency: "EUR", amount }];

test("the most urgent row is the first one due, then the one with the most money, then with the most records", () => {
  const row = (name: string, dueAt: Date | null, amount: number, count = 1) => ({
    name,
    dueAt,
    amounts: amount > 0 ? eur(amount) : [],
    count,
  });
  const rows = [
    row("few", null, 0, 1),
    row("many", null, 0, 9),
    row("cheap", null, 100),
    row("expensive", null, 5000),
    row("later", later, 9000),
    row("first", now, 0),
  ];
  expect(rows.toSorted(byUrgency).map(({ name }) => name)).toEqual([
    "first",
    "later",
    "expensive",
    "cheap",
    "many",
    "few",
  ]);
});
