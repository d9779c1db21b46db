import { queryOf } from "@purser/contract/pages/listSearch";
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
