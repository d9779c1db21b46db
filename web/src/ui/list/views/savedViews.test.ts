import { expect, test } from "vitest";
import { isShown, searchOf, withView } from "./savedViews.ts";

const late = { name: "Late", f: ["status:any:past due"], sort: "-createdAt" };

test("matches a view by filters and order, on any page", () => {
  expect(isShown(late, { f: late.f, sort: late.sort, page: "3", preview: "x" })).toBe(true);
  expect(isShown(late, { f: late.f })).toBe(false);
  expect(isShown({ ...late, f: ["a", "b"] }, { f: ["b", "a"], sort: late.sort })).toBe(true);
});

test("keeps only the view's own parameters in the URL", () => {
  expect(searchOf({ f: [], q: "anna" })).toEqual({ q: "anna" });
});

test("replaces a view of the same name in place", () => {
  const other = { name: "Other", f: [] };
  expect(withView([late, other], { name: "late", f: [] })).toEqual([
    { name: "late", f: [] },
    other,
  ]);
  expect(withView([late], other)).toEqual([late, other]);
});
