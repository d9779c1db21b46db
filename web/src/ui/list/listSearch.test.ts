import { queryOf, readListSearch } from "@purser/contract/pages/listSearch";
import { expect, test } from "vitest";
import { sortAfter } from "./listSearch.ts";

test.each([
  [undefined, "name", false, "name"],
  ["name", "name", false, "-name"],
  ["-name", "name", false, undefined],
  ["name,-code", "status", false, "status"],
  ["name", "code", true, "name,code"],
  ["name,code", "name", true, "-name,code"],
  ["-name,code", "name", true, "code"],
])("sorted by %j, a click on %j (with Shift: %j) gives %j", (sort, field, beside, next) => {
  expect(sortAfter(sort, field, beside)).toBe(next);
});

test("sends only one of page and cursor to the server", () => {
  expect(queryOf({ f: [], page: "3", after: "x" })).toEqual({ after: "x", size: "25" });
  expect(queryOf({ f: [], page: "3", before: "end" })).toEqual({ before: "end", size: "25" });
  expect(queryOf({ q: "a", f: ["b:is:c"], sort: "name", page: "3", size: "50" })).toEqual({
    q: "a",
    f: ["b:is:c"],
    sort: "name",
    page: "3",
    size: "50",
  });
});

test.each([
  [{ page: "400" }, "400"],
  [{ page: "401" }, "400"],
  [{ page: "99999999999", size: "100" }, "100"],
  [{ page: "1001", size: "10" }, "1000"],
  [{ page: "7" }, "7"],
  [{ page: "x" }, undefined],
  [{ page: "0" }, undefined],
  [{ page: "-3" }, undefined],
  [{ page: "1.5" }, undefined],
])("S2.3 reads %j as page %j, the last one with a number at most", (given, page) => {
  expect(readListSearch(given).page).toBe(page);
});

test.each([
  [
    { size: "7", at: "2026-02-28" },
    { size: "7", at: "2026-02-28" },
  ],
  [{ size: "abc", at: "2026-13-99" }, {}],
  [{ size: "1000", at: "2026-11-32" }, {}],
  [{ size: "0", at: "yesterday", f: "" }, {}],
])("S2.3 leaves out what no list has of %j", (given, read) => {
  expect(readListSearch(given)).toEqual({ f: [], ...read });
});
