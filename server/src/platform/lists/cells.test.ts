import { app } from "@purser/contract/apps/fields";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { momentsIn, writerOf } from "./cells.ts";
import { originalText, readCsv } from "./csvReader.testing.ts";

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
  ["\t=1", "'\t'=1"],
  ["\r=1", `"'\r'=1"`],
  ["\0", "'\0"],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  [" =1", "' =1"],
  ["\u3000＝1", "'\u3000＝1"],
  ['"=1', `"'""=1"`],
  ["'=1", "''=1"],
  ["'tis", "'tis"],
  ["a;=1", "a;'=1"],
  ["a|\u00a0@x", "a|'\u00a0@x"],
  ["a\t-1", "a\t'-1"],
  ["a,+1", `"a,'+1"`],
  ["a\n=1", `"a\n'=1"`],
  ["a; b, c-d", `"a; b, c-d"`],
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

/** Texts of the characters that matter, so that they meet often. */
const texts = fc.string({
  unit: fc.constantFrom(...'=+-@＝＋－＠\'"",;|\t\r\n\0 \u00a0\u3000\ufeffa1'),
  maxLength: 12,
});
const rows = fc.array(fc.array(texts, { minLength: 3, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});
const columns = ["a", "b", "c"];
const write = (values: readonly string[][]) =>
  values
    .map((cells) => csv(columns, Object.fromEntries(columns.map((name, n) => [name, cells[n]]))))
    .join("");
const runs = { numRuns: sized({ gate: 3000, nightly: 300_000 }) };

test("T11 D13 no cell starts a formula, whichever separator a spreadsheet is set to", () => {
  const startsFormula = /^[\s\0"\ufeff]*[=+\-@＝＋－＠]/;
  fc.assert(
    fc.property(rows, fc.constantFrom(",", ";", "\t", "|"), (values, separator) => {
      const read = readCsv(write(values), separator).flat();
      expect(read.filter((cell) => startsFormula.test(cell))).toEqual([]);
    }),
    runs,
  );
});

test("T11 no cell starts with a control character", () => {
  fc.assert(
    fc.property(rows, (values) => {
      const read = readCsv(write(values)).flat();
      expect(read.filter((cell) => /^[\t\r\n\0]/.test(cell))).toEqual([]);
    }),
    runs,
  );
});

test("T11 D13 an importer reads back exactly what was exported", () => {
  fc.assert(
    fc.property(rows, (values) => {
      const read = readCsv(write(values)).map((cells) => cells.map(originalText));
      expect(read).toEqual(values);
    }),
    runs,
  );
});

test("T11 D13 numbers stay numbers", () => {
  expect(csv(columns, { a: -1, b: -0.5, c: 3 })).toBe("-1,-0.5,3\r\n");
});

test("T22 writes 50 kB of adversarial text in less than 200 ms", () => {
  for (const text of ["'", " ", '"', ";", "; ", ";'", "\t", "=", ";="].map((one) =>
    one.repeat(50_000),
  )) {
    const { user } = process.threadCpuUsage();
    csv(["a"], { a: text });
    expect(process.threadCpuUsage().user - user).toBeLessThan(200_000);
  }
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
