import { expect, test } from "vitest";
import { isShown, searchOf, withView } from "./savedViews.ts";

const late = { name: "Late", f: ["status:any:past due"], sort: "-createdAt" };

test("a view is shown by its rows and their order, wherever in them somebody is", () => {
  expect(isShown(late, { f: late.f, sort: late.sort, page: "3", preview: "x" })).toBe(true);
  expect(isShown(late, { f: late.f })).toBe(false);
  expect(isShown({ ...late, f: ["a", "b"] }, { f: ["b", "a"], sort: late.sort })).toBe(true);
});

test("a view leads to an address without anything else", () => {
  expect(searchOf({ f: [], q: "anna" })).toEqual({ q: "anna" });
});

test("a name that is taken is replaced in its place", () => {
  const other = { name: "Other", f: [] };
  expect(withView([late, other], { name: "late", f: [] })).toEqual([
    { name: "late", f: [] },
    other,
  ]);
  expect(withView([late], other)).toEqual([late, other]);
});
