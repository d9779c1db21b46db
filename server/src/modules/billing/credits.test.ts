import { expect, test } from "vitest";
import { type CreditableLine, creditUnused } from "./credits.ts";

const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const november = { start: day(1), end: day(31) };
const between = (from: number, until: number) => ({ start: day(from), end: day(until) });

const lineWith = (...unused: CreditableLine["credits"][number]["unused"][]): CreditableLine => ({
  net: 3000,
  tax: 0,
  period: november,
  credits: unused.map((period) => ({
    unused: period,
    net: period ? (+period.end - +period.start) / 864_000 : 0,
    tax: 0,
  })),
});

test("unused time behind time that is credited already can be taken back", () => {
  // A change from the 11th on was withdrawn after a refund from the 8th on.
  const refunded = lineWith(between(8, 11));
  for (const from of [8, 9, 11])
    expect(creditUnused(refunded, day(from))).toMatchObject({
      unused: between(11, 31),
      gross: 2000,
    });
  expect(creditUnused(refunded, day(4))).toMatchObject({ unused: between(4, 8), gross: 400 });
  const again = lineWith(between(8, 11), between(4, 8));
  expect(creditUnused(again, day(4))).toMatchObject({ unused: between(11, 31), gross: 2000 });
  const all = lineWith(between(8, 11), between(11, 31));
  expect(creditUnused(all, day(8))).toBeNull();
});
