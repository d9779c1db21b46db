import { expect, test } from "vitest";
import { importFields } from "./imports.ts";
import {
  dateFields,
  numberFields,
  readMoment,
  readNumber,
  signIn,
  writtenIn,
} from "./importValues.ts";

test.each([
  // as written, with a decimal point, with a decimal comma, without a choice, what it shows
  ["12", "12", "12", "12", undefined],
  ["1234.5", "1234.5", null, "1234.5", "point"],
  ["1234,50", null, "1234.50", "1234.50", "comma"],
  ["1,234.50", "1234.50", null, "1234.50", "point"],
  ["1.234,50", null, "1234.50", "1234.50", "comma"],
  ["1.234", "1.234", "1234", null, "number"],
  ["1,234", "1234", "1.234", null, "number"],
  ["1.234.567", null, "1234567", "1234567", "comma"],
  ["1,234,567", "1234567", null, "1234567", "point"],
  ["0.125", "0.125", null, "0.125", "point"],
  ["1234.567", "1234.567", null, "1234.567", "point"],
  ["1 234,50", null, "1234.50", "1234.50", "comma"],
  ["1\u00a0234,50", null, "1234.50", "1234.50", "comma"],
  ["1\u202f234", "1234", "1234", "1234", undefined],
  ["1'234.50", "1234.50", null, "1234.50", "point"],
  ["1 234", "1234", "1234", "1234", undefined],
  ["12.34.56", null, null, null, undefined],
  ["1,23,456.00", null, null, null, undefined],
  ["-5,00", null, null, null, undefined],
  ["5,", null, null, null, undefined],
  ["five", null, null, null, undefined],
  ["1e3", null, null, null, undefined],
])("reads the number %s", (typed, point, comma, either, sign) => {
  expect(readNumber(typed, "point")?.value ?? null).toBe(point);
  expect(readNumber(typed, "comma")?.value ?? null).toBe(comma);
  expect(readNumber(typed, null)?.value ?? null).toBe(either);
  expect(signIn(typed)).toBe(sign);
});

test.each([
  ["1.234,50 €", { value: "1234.50", unit: "€" }],
  ["€1.234,50", { value: "1234.50", unit: "€" }],
  ["EUR 12,00", { value: "12.00", unit: "EUR" }],
  ["99,00 kr.", { value: "99.00", unit: "kr." }],
  ["7,5\u00a0%", { value: "7.5", unit: "%" }],
  ["€ 12 EUR", null],
])("reads the unit of %s", (typed, read) => {
  expect(readNumber(typed, "comma")).toEqual(read);
});

test.each([
  // as written, with the day first, with the month first, without a choice, what it shows
  ["2024-03-01", "2024-03-01", "2024-03-01", "2024-03-01", undefined],
  ["2024/3/1", "2024-03-01", "2024-03-01", "2024-03-01", undefined],
  ["01.03.2024", "2024-03-01", "2024-01-03", null, "day first"],
  ["1.3.2024 10:20", "2024-03-01 10:20", "2024-01-03 10:20", null, "day first"],
  ["01/03/2024", "2024-03-01", "2024-01-03", null, "date"],
  ["1-3-2024", "2024-03-01", "2024-01-03", null, "date"],
  ["31/12/2024", "2024-12-31", null, "2024-12-31", "day first"],
  ["12/31/2024", null, "2024-12-31", "2024-12-31", "month first"],
  ["03/03/2024 23:59:58", "2024-03-03 23:59:58", "2024-03-03 23:59:58", "2024-03-03 23:59:58"],
  ["30/02/2024", null, null, null, "day first"],
  ["32/13/2024", null, null, null, undefined],
  ["01/03/24", null, null, null, undefined],
  ["01/03.2024", null, null, null, undefined],
  ["yesterday", null, null, null, undefined],
])("reads the date %s", (typed, day, month, either, sign?: string) => {
  const read = (order: Parameters<typeof readMoment>[1]) =>
    readMoment(typed, order)?.toISOString().slice(0, 19) ?? null;
  const full = (text: string | null | undefined) =>
    text ? new Date(`${text.length > 10 ? text.replace(" ", "T") : `${text}T00:00`}Z`) : null;
  expect(read("day first")).toBe(full(day)?.toISOString().slice(0, 19) ?? null);
  expect(read("month first")).toBe(full(month)?.toISOString().slice(0, 19) ?? null);
  expect(read(null)).toBe(full(either)?.toISOString().slice(0, 19) ?? null);
  expect(signIn(typed)).toBe(sign);
});

test.each([
  ["one sign decides", [["comma", "number"], ["date"]], { isNeeded: true, preset: "comma" }],
  ["both ask", [["comma", "point"], []], { isNeeded: true, preset: null }],
  ["only unclear values ask", [["number"], []], { isNeeded: true, preset: null }],
  ["values without marks don't", [[], ["comma"]], { isNeeded: false, preset: null }],
] as const)("how numbers are written: %s", (_, columns, known) => {
  expect(writtenIn(columns, ["amount", "description"]).decimalMark).toEqual(known);
});

test("only columns with dates show how dates are written", () => {
  const columns = [["day first"], ["month first"]] as const;
  expect(writtenIn(columns, ["date", "description"]).dateOrder.preset).toBe("day first");
  expect(writtenIn(columns, [null, "refundedAt"]).dateOrder.preset).toBe("month first");
  expect(writtenIn(columns, [null, null]).dateOrder.isNeeded).toBe(false);
});

test.each([
  ["2026-03-01", "2026-03-01T00:00:00.000Z"],
  ["2026-03-01 10:20", "2026-03-01T10:20:00.000Z"],
  ["2026-03-01T10:20:30+02:00", "2026-03-01T08:20:30.000Z"],
  ["1700000000", "2023-11-14T22:13:20.000Z"],
  ["2026-02-30", null],
  ["yesterday", null],
])("reads the moment %s as %s", (typed, moment) => {
  expect(readMoment(typed, null)?.toISOString() ?? null).toBe(moment);
});

test("numbers and dates are fields of imports", () => {
  const fields: readonly string[] = Object.values(importFields).flat();
  expect([...numberFields, ...dateFields].filter((field) => !fields.includes(field))).toEqual([]);
});
