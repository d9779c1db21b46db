import { app } from "@purser/contract/apps/fields";
import { expect, test } from "vitest";
import { momentsIn, writerOf } from "./cells.ts";

const csv = (columns: string[], row: Record<string, unknown>) =>
  writerOf({ format: "csv", columns, zone: "UTC", row: app }).line(row);

test.each([
  ["Harbor", "Harbor"],
  ["", '""'],
  [null, '""'],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["two\r\nlines", '"two\r\nlines"'],
  ["=1+1", "'=1+1"],
  ["+49 30", "'+49 30"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ["a=1", "a=1"],
  [["web", "ios"], '"web, ios"'],
  [["=cmd"], "'=cmd"],
  [[], '""'],
  [-3, "-3"],
  [true, "true"],
])("writes %j in a cell as %s", (value, cell) => {
  expect(csv(["only"], { only: value })).toBe(`${cell}\r\n`);
});

test("leaves empty cells empty, and writes the columns in the requested order", () => {
  const writer = writerOf({ format: "csv", columns: ["name", "code"], zone: "UTC", row: app });
  expect(writer.head).toBe("name,code\r\n");
  expect(writer.line({ code: "x", name: null, version: 3 })).toBe(",x\r\n");
});

test.each([
  ["UTC", "2026-03-01T00:00:00.123Z", "2026-03-01T00:00:00.123+00:00"],
  ["Europe/Lisbon", "2026-01-15T12:00:00Z", "2026-01-15T12:00:00.000+00:00"],
  ["Europe/Lisbon", "2026-07-15T23:30:00Z", "2026-07-16T00:30:00.000+01:00"],
  ["Europe/Lisbon", "2026-03-29T00:59:59Z", "2026-03-29T00:59:59.000+00:00"],
  ["Europe/Lisbon", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00.000+01:00"],
  ["Asia/Kathmandu", "2026-03-01T00:00:00Z", "2026-03-01T05:45:00.000+05:45"],
  ["Pacific/Honolulu", "2026-03-01T00:00:00Z", "2026-02-28T14:00:00.000-10:00"],
  ["America/St_Johns", "2006-04-02T03:31:00Z", "2006-04-02T01:01:00.000-02:30"],
  ["America/St_Johns", "2006-04-02T03:30:00Z", "2006-04-02T00:00:00.000-03:30"],
])("writes in %s the time %s as %s", (zone, moment, written) => {
  const write = momentsIn(zone);
  // Twice, the second time from what it remembers of the day.
  expect([write(new Date(moment)), write(new Date(moment))]).toEqual([written, written]);
});

test("writes the requested columns as JSON with the values of the API", () => {
  const { head, line } = writerOf({
    format: "jsonl",
    columns: ["name", "platforms", "createdAt"],
    zone: "Asia/Kathmandu",
    row: app,
  });
  const row = {
    code: "not asked for",
    name: "=1+1\n",
    platforms: ["web"],
    createdAt: new Date("2026-03-01T00:00:00Z"),
    secret: "hidden",
  };
  expect(head).toBe("");
  expect(line(row)).toBe(
    '{"name":"=1+1\\n","platforms":["web"],"createdAt":"2026-03-01T00:00:00.000Z"}\n',
  );
});
