import fc from "fast-check";
import { expect, test } from "vitest";
import { clipboardText, parseContent, pasteInto, readTsv, writeTsv } from "./clipboard.ts";
import { appWith, choiceFeature, idOf, limitFeature, switchFeature } from "./testing.ts";

const seats = limitFeature({ id: idOf(101), name: "Seats", code: "seats" });
const raw = switchFeature({ id: idOf(102), name: "RAW", code: "raw" });
const formats = choiceFeature({ id: idOf(103), name: "Formats", code: "formats" });
const app = appWith(idOf(1), [seats, raw, formats]);
const all = app.features.map((feature) => ({ app, feature }));
const none = { below: all, selected: [], all };

test("reads a table from the clipboard as it was written", () => {
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

test("ignores a trailing line break", () => {
  expect(readTsv("1\r\n2\r\n")).toEqual([["1"], ["2"]]);
  expect(readTsv('"a ""b""\nc"\td')).toEqual([['a "b"\nc', "d"]]);
});

test("MX3 pastes a column downwards from the focus, with empty as the default", () => {
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

test("rejects and counts values that are invalid or out of range", () => {
  expect(pasteInto("many\non", none)).toEqual({ set: [[raw.id, true]], rejected: 1 });
  expect(pasteInto("1\non\npdf\n4", none)).toMatchObject({ rejected: 1 });
  expect(pasteInto("1\t2\non\toff", none)).toMatchObject({ rejected: 2 });
});

test("fills the selection with a single value", () => {
  const two = [
    { app, feature: seats },
    { app, feature: { ...seats, id: idOf(104) } },
  ];
  expect(pasteInto("no limit", { below: all, selected: two, all }).set).toEqual([
    [seats.id, "unlimited"],
    [idOf(104), "unlimited"],
  ]);
});

test("matches two columns by feature name, in any order", () => {
  expect(pasteInto("app-1.formats\tpdf\nSeats\t1,000\nnobody\t4", none)).toEqual({
    set: [
      [formats.id, "pdf"],
      [seats.id, 1000],
    ],
    rejected: 1,
  });
});

test("writes a cell's value to the clipboard", () => {
  expect([
    clipboardText(null),
    clipboardText(true),
    clipboardText(1000),
    clipboardText("unlimited"),
  ]).toEqual(["", "on", "1000", "unlimited"]);
  expect(clipboardText({ typed: "12.5", why: "" })).toBe("12.5");
});

test("explains which values are valid", () => {
  expect(parseContent(seats, "12.5")).toEqual({
    typed: "12.5",
    why: "Enter a whole number, or “unlimited”.",
  });
  expect(parseContent(formats, "docx")).toMatchObject({ why: "Choose one of the options." });
  expect(parseContent(seats, " ")).toBeNull();
});
