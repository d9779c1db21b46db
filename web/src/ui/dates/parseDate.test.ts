import { describe, expect, test } from "vitest";
import { isLocalTime, parseDate, showDate } from "./parseDate.ts";

const now = "2026-11-16T14:05";
const dayIn = (locale: string) => (typed: string) =>
  parseDate(typed, { locale, now, withTime: false });
const timeIn = (locale: string) => (typed: string) =>
  parseDate(typed, { locale, now, withTime: true });

describe("a date", () => {
  test.each([
    ["en-GB", "16 nov", "2026-11-16"],
    ["en-GB", "16 November", "2026-11-16"],
    ["en-GB", "16th of nov", "2026-11-16"],
    ["en-GB", "16th Nov", "2026-11-16"],
    ["en-GB", "Nov 16", "2026-11-16"],
    ["en-GB", "1 sep 27", "2027-09-01"],
    ["en-GB", "1 Sept 2027", "2027-09-01"],
    ["en-GB", "16-nov-2026", "2026-11-16"],
    ["en-GB", "  16   Nov   2026 ", "2026-11-16"],
    ["en-GB", "16.11.2026", "2026-11-16"],
    ["en-GB", "3/4/2026", "2026-04-03"],
    ["en-US", "3/4/2026", "2026-03-04"],
    ["de", "3/4/2026", "2026-04-03"],
    ["en-US", "11/16/2026", "2026-11-16"],
    ["en-US", "11/16", "2026-11-16"],
    ["en-US", "11/16/27", "2027-11-16"],
    // Only one order is possible.
    ["en-US", "16.11.2026", "2026-11-16"],
    ["en-GB", "11/16/2026", "2026-11-16"],
    ["en-US", "Nov 16, 2026", "2026-11-16"],
    ["de", "16. Nov", "2026-11-16"],
    ["de", "16. Nov. 2026", "2026-11-16"],
    ["de", "16. november 2026", "2026-11-16"],
    ["de", "3. Mär", "2026-03-03"],
    ["de", "3. März 2027", "2027-03-03"],
    ["de", "3. marz", "2026-03-03"],
    ["de", "5. Mai", "2026-05-05"],
    ["de", "5. Dez. 2026", "2026-12-05"],
    ["de", "5 dec 2026", "2026-12-05"],
    ["de", "16.11.", "2026-11-16"],
    ["de", "16.11.26", "2026-11-16"],
    ["de", "1. 2. 2027", "2027-02-01"],
    ["en-GB", "2026-11-16", "2026-11-16"],
    ["en-US", "2026-3-4", "2026-03-04"],
    ["de", "2026/3/4", "2026-03-04"],
    // The time is of no use here.
    ["en-GB", "16 Nov 2026, 14:30", "2026-11-16"],
    ["en-GB", "29 Feb 2028", "2028-02-29"],
    ["en-GB", "29 Feb 2027", null],
    ["en-GB", "31/4/2026", null],
    ["en-GB", "13/13/2026", null],
    ["en-GB", "16 no", null],
    ["en-GB", "16", null],
    ["en-GB", "nov", null],
    ["en-GB", "Nov 2026", null],
    ["en-GB", "16 nov 2026 2027", null],
    ["en-GB", "14:30", null],
    ["en-GB", "soon", null],
    ["en-GB", "", null],
    ["en-GB", " ", null],
  ])("in %s: %j is %s", (locale, typed, value) => expect(dayIn(locale)(typed)).toBe(value));
});

describe("a relative date", () => {
  test.each([
    ["en-GB", "today", "2026-11-16"],
    ["en-US", "Tomorrow", "2026-11-17"],
    ["en-GB", "yesterday", "2026-11-15"],
    ["en-GB", "now", "2026-11-16"],
    ["de", "heute", "2026-11-16"],
    ["de", "Morgen", "2026-11-17"],
    ["de", "gestern", "2026-11-15"],
    ["de", "übermorgen", "2026-11-18"],
    ["de", "jetzt", "2026-11-16"],
    ["de", "tomorrow", "2026-11-17"],
    ["en-GB", "heute", null],
    ["en-GB", "+30d", "2026-12-16"],
    ["en-GB", "+ 30 days", "2026-12-16"],
    ["en-GB", "-1w", "2026-11-09"],
    ["en-GB", "−1w", "2026-11-09"],
    ["en-GB", "+2m", "2027-01-16"],
    ["en-GB", "+1y", "2027-11-16"],
    ["de", "+30d", "2026-12-16"],
    ["de", "+30t", "2026-12-16"],
    ["de", "+1 Woche", "2026-11-23"],
    ["de", "+2 Monate", "2027-01-16"],
    ["de", "-1j", "2025-11-16"],
    ["en-GB", "+30", null],
    ["en-GB", "30d", null],
    ["en-GB", "+30x", null],
  ])("in %s: %s is %s", (locale, typed, value) => expect(dayIn(locale)(typed)).toBe(value));

  test("ends at the last day of a shorter month", () => {
    const at = { locale: "en-GB", now: "2027-01-31T09:00", withTime: false };
    expect(parseDate("+1m", at)).toBe("2027-02-28");
    expect(parseDate("-2m", at)).toBe("2026-11-30");
    expect(parseDate("+13m", at)).toBe("2028-02-29");
  });
});

describe("a date and time", () => {
  test.each([
    ["en-GB", "16 Nov 2026 14:30", "2026-11-16T14:30"],
    ["en-GB", "16 Nov 2026, 14:30", "2026-11-16T14:30"],
    ["en-GB", "2026-11-16T14:30", "2026-11-16T14:30"],
    ["en-GB", "2026-11-16 9:05:59", "2026-11-16T09:05"],
    ["en-GB", "16 nov 2pm", "2026-11-16T14:00"],
    ["en-US", "Nov 16, 2026, 2:30\u202fPM", "2026-11-16T14:30"],
    ["en-US", "11/16/2026 12:15 am", "2026-11-16T00:15"],
    ["en-US", "11/16 12 p.m.", "2026-11-16T12:00"],
    ["de", "16.11.2026 14:30", "2026-11-16T14:30"],
    ["de", "16. Nov. 2026, 14:30 Uhr", "2026-11-16T14:30"],
    ["de", "16.11. 14.30 Uhr", "2026-11-16T14:30"],
    ["de", "morgen 9:00", "2026-11-17T09:00"],
    ["de", "jetzt", "2026-11-16T14:05"],
    ["en-GB", "now", "2026-11-16T14:05"],
    ["en-GB", "9:00", "2026-11-16T09:00"],
    ["en-GB", "today", "2026-11-16T00:00"],
    ["en-GB", "16 nov", "2026-11-16T00:00"],
    ["en-GB", "+30d", "2026-12-16T14:05"],
    ["en-GB", "+30d 9:00", "2026-12-16T09:00"],
    ["en-GB", "16 nov 24:00", null],
    ["en-GB", "16 nov 9:60", null],
    ["en-GB", "16 nov 13pm", null],
    ["en-GB", "16 nov 9", null],
  ])("in %s: %j is %s", (locale, typed, value) => expect(timeIn(locale)(typed)).toBe(value));
});

test.each([
  ["en-GB", "16 Nov 2026", "16 Nov 2026, 14:30"],
  ["en-US", "Nov 16, 2026", "Nov 16, 2026, 2:30 PM"],
  ["de", "16. Nov. 2026", "16. Nov. 2026, 14:30"],
])("shows a date in %s as %s", (locale, day, time) => {
  expect(showDate("2026-11-16", { locale, withTime: false })).toBe(day);
  const shown = showDate("2026-11-16T14:30", { locale, withTime: true });
  expect(shown.replace("\u202f", " ")).toBe(time);
});

test("shows text that isn't a date as it is", () => {
  expect(showDate("soon", { locale: "en-GB", withTime: false })).toBe("soon");
  expect(isLocalTime("2026", false)).toBe(false);
  expect(isLocalTime("2026-11-16", true)).toBe(false);
});

test.each(["en-GB", "en-US", "de", "fr", "pl", "pt-BR"])("reads what it shows in %s", (locale) => {
  for (let month = 1; month <= 12; month += 1)
    for (const clock of ["T00:00", "T09:05", "T12:00", "T23:59"]) {
      const day = `2027-${String(month).padStart(2, "0")}-07`;
      expect(dayIn(locale)(showDate(day, { locale, withTime: false }))).toBe(day);
      const shown = showDate(`${day}${clock}`, { locale, withTime: true });
      expect(timeIn(locale)(shown), shown).toBe(`${day}${clock}`);
    }
});
