import { expect, test } from "vitest";
import { delimiterOf, readCsv } from "./csv.ts";

const read = (text: string, isLast = true, delimiter = ",") => readCsv(text, { delimiter, isLast });

test.each([
  [
    "plain",
    "a,b\n1,2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "no last line break",
    "a,b\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  ["Windows and old Mac line breaks", "a\r\nb\rc", [["a"], ["b"], ["c"]]],
  ["quotes", '"a ""b""","c,d","e\nf"', [['a "b"', "c,d", "e\nf"]]],
  ["text after a quote", '"a"b,c', [["ab", "c"]]],
  [
    "empty cells and lines",
    "a,,\n\n,,\nb,,c",
    [
      ["a", "", ""],
      ["b", "", "c"],
    ],
  ],
  ["spaces and NUL", " a ,b\0", [["a", "b\ufffd"]]],
])("reads %s", (_, text, records) => {
  expect(read(text)).toEqual({ records, rest: "", isTooLong: false });
});

test("a file in parts of any size has the same records as the whole", () => {
  const text = 'id,name\r\n1,"Ann ""A"", Ltd"\r\n2,"two\r\nlines"\r\n3,é😀\r\n';
  const { records: whole } = read(text);
  for (let size = 1; size < text.length; size += 1) {
    const records: string[][] = [];
    let rest = "";
    for (let at = 0; at < text.length; at += size) {
      const part = read(rest + text.slice(at, at + size), at + size >= text.length);
      records.push(...part.records);
      rest = part.rest;
    }
    expect(records, `parts of ${size}`).toEqual(whole);
  }
});

test("a quote that is never closed is an error and not a row", () => {
  expect(read('a\n"b')).toMatchObject({ records: [["a"]], isTooLong: true });
  expect(read(`a\n"${"b".repeat(100_001)}`, false)).toMatchObject({ isTooLong: true });
});

test.each([
  ["a,b,c\n1;2", ","],
  ["a;b;c", ";"],
  ["a\tb", "\t"],
  ['"a,b,c,d";e', ";"],
  ["single", ","],
])("finds the delimiter of %j", (text, delimiter) => {
  expect(delimiterOf(text)).toBe(delimiter);
});
