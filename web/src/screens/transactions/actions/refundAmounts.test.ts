import { describe, expect, test } from "vitest";
import {
  amountOf,
  askedOf,
  enterAmount,
  enterAmounts,
  refusalOf,
  sumOf,
  type Wish,
} from "./refundAmounts.ts";

const studio = { lineId: "studio", refundable: 12_000, unused: 9581 };
const storage = { lineId: "storage", refundable: 526, unused: 0 };
const lines = [studio, storage];
const full: Wish = { of: "full", entered: [] };
const unused: Wish = { of: "unused", entered: [] };

describe("the amounts of a refund", () => {
  test("are everything that is left, or the unused time", () => {
    expect(lines.map((line) => amountOf(full, line))).toEqual([12_000, 526]);
    expect(lines.map((line) => amountOf(unused, line))).toEqual([9581, 0]);
    expect(sumOf(full, lines)).toBe(12_526);
    expect(askedOf(unused, "EUR")).toEqual({ of: "unused" });
  });

  test("are entered by line, starting from the shown amounts", () => {
    const entered = enterAmount(unused, lines, "storage", 526);
    expect(askedOf(entered, "EUR")).toEqual({
      of: "amount",
      lines: [
        { lineId: "studio", amount: 9581 },
        { lineId: "storage", amount: 526 },
      ],
    });
    expect(sumOf(entered, lines)).toBe(10_107);
    const shown = enterAmounts(full, lines);
    expect(lines.map((line) => amountOf(shown, line))).toEqual([12_000, 526]);
  });

  test("can't exceed what a line has left", () => {
    expect(refusalOf(527, storage, "EUR")).toBe("At most 5.26 EUR.");
    expect(refusalOf(526, storage, "EUR")).toBeNull();
    expect(askedOf(enterAmount(unused, lines, "storage", 527), "EUR")).toBeNull();
  });

  test("must be amounts of the currency", () => {
    expect(refusalOf("5.261", storage, "EUR")).toBe(
      "Enter at most 2 decimals. EUR allows no more.",
    );
    const typed = enterAmount(unused, lines, "storage", "some");
    expect(askedOf(typed, "EUR")).toBeNull();
    expect(sumOf(typed, lines)).toBe(9581);
  });
});
