import fc from "fast-check";
import { expect, test } from "vitest";
import { copied, pasteInto, readTsv, typedContent, writeTsv } from "./clipboard.ts";
import { appWith, choiceFeature, idOf, limitFeature, switchFeature } from "./testing.ts";

const seats = limitFeature({ id: idOf(101), name: "Seats", code: "seats" });
const raw = switchFeature({ id: idOf(102), name: "RAW", code: "raw" });
const formats = choiceFeature({ id: idOf(103), name: "Formats", code: "formats" });
const app = appWith(idOf(1), [seats, raw, formats]);
const all = app.features.map((feature) => ({ app, feature }));
const none = { below: all, selected: [], all };

test("a table comes back from the clipboard as it went there", () => {
  const field = fc.string();
  const rows = fc
    .array(fc.array(field, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 })
    .filter((table) => !/[\r]/.test(JSON.stringify(table)));
  fc.assert(
    fc.property(rows, (table) => {
      const clean = table.map((row) => row.map((one) => one.replace(/\r/g, "")));
      expect(readTsv(writeTsv(clean))).toEqual(clean);
    }),
  );
});

test("a spreadsheet's last line end is no line of its own", () => {
  expect(readTsv("1\r\n2\r\n")).toEqual([["1"], ["2"]]);
  expect(readTsv('"a ""b""\nc"\td')).toEqual([['a "b"\nc', "d"]]);
});

test("MX3 a column goes down from the focus; empty is the default", () => {
  expect(pasteInto("25\non\nPDF, EPUB", none)).toEqual({
    set: [
      [seats.id, 25],
      [raw.id, true],
      [formats.id, "epub"],
    ],
    rejected: 0,
  });
  expect(pasteInto("\noff", none).set).toEqual([
    [seats.id, null],
    [raw.id, false],
  ]);
});

test("what does not fit, has no place or falls beside the column is rejected and counted", () => {
  expect(pasteInto("many\non", none)).toEqual({ set: [[raw.id, true]], rejected: 1 });
  expect(pasteInto("1\non\npdf\n4", none)).toMatchObject({ rejected: 1 });
  expect(pasteInto("1\t2\non\toff", none)).toMatchObject({ rejected: 2 });
});

test("one value fills what is selected", () => {
  const two = [
    { app, feature: seats },
    { app, feature: { ...seats, id: idOf(104) } },
  ];
  expect(pasteInto("no limit", { below: all, selected: two, all }).set).toEqual([
    [seats.id, "unlimited"],
    [idOf(104), "unlimited"],
  ]);
});

test("two columns of which the first names features go to these, in any order", () => {
  expect(pasteInto("app-1.formats\tpdf\nSeats\t1,000\nnobody\t4", none)).toEqual({
    set: [
      [formats.id, "pdf"],
      [seats.id, 1000],
    ],
    rejected: 1,
  });
});

test("a cell says what it is worth on the clipboard", () => {
  expect([copied(null), copied(true), copied(1000), copied("unlimited")]).toEqual([
    "",
    "on",
    "1000",
    "unlimited",
  ]);
  expect(copied({ typed: "12.5", why: "" })).toBe("12.5");
});

test("what is typed and fits nothing says what would", () => {
  expect(typedContent(seats, "12.5")).toEqual({
    typed: "12.5",
    why: "must be a whole number from 0, or unlimited",
  });
  expect(typedContent(formats, "docx")).toMatchObject({ why: "must be one of PDF, PDF, EPUB" });
  expect(typedContent(seats, " ")).toBeNull();
});
