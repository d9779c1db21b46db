import { expect, test } from "vitest";
import { defaultViewsIn } from "#lib/session/preferences.ts";
import { operatorsOf } from "../filters/operators.ts";
import { defaultViewOf, isShown, remainderOf, type SharedView, searchOf } from "./savedViews.ts";
import { withName } from "./withName.ts";

const late = { name: "Late", f: ["status:any:past due"], sort: "-createdAt" };

test("matches a view by filters and order, on any page", () => {
  expect(isShown(late, { f: late.f, sort: late.sort, page: "3", preview: "x" })).toBe(true);
  expect(isShown(late, { f: late.f })).toBe(false);
  expect(isShown({ ...late, f: ["a", "b"] }, { f: ["b", "a"], sort: late.sort })).toBe(true);
});

test("matches a view with columns only if the list has these", () => {
  const narrow = { ...late, cols: ["name", "code"] };
  expect(isShown(narrow, { f: late.f, sort: late.sort, cols: "name,code" })).toBe(true);
  expect(isShown(narrow, { f: late.f, sort: late.sort })).toBe(false);
  expect(isShown(late, { f: late.f, sort: late.sort, cols: "name" })).toBe(true);
});

test("keeps only the view's own parameters in the URL", () => {
  expect(searchOf({ f: [], q: "anna" })).toEqual({ q: "anna" });
  expect(searchOf({ f: [], cols: ["name", "code"] })).toEqual({ cols: "name,code" });
});

test("finds a view by its name among those of the user or of the team", () => {
  const team = { ...late, shared: shared("1", false) };
  expect(withName([team, late], "late", false)).toBe(late);
  expect(withName([late, team], "LATE", true)).toBe(team);
  expect(withName([late], "Late", true)).toBe(undefined);
});

const shared = (id: string, isDefault: boolean): SharedView => ({
  id,
  list: "users",
  name: id,
  q: null,
  f: [],
  sort: null,
  cols: null,
  isDefault,
  owner: null,
});

test.each([
  { what: "nothing, the team's", chosen: {}, opens: "team" },
  { what: "no view", chosen: { users: "" }, opens: undefined },
  { what: "a shared view", chosen: { users: "other" }, opens: "other" },
  { what: "an own view", chosen: { users: "Late" }, opens: "Late" },
  { what: "a deleted view", chosen: { users: "gone" }, opens: "team" },
  { what: "one of another list", chosen: { apps: "other" }, opens: "team" },
])("the menu opens the default view of a user who chose $what", ({ chosen, opens }) => {
  const views = [shared("other", false), shared("team", true)];
  const testMode = { users: "one of test mode" };
  const preferences = {
    views: { users: [late] },
    defaultViews: chosen,
    testModeDefaultViews: testMode,
  };
  expect(defaultViewOf("users", preferences, views)?.name).toBe(opens);
});

test("each mode has its own default views, because their shared views have other IDs", () => {
  const preferences = { defaultViews: { users: "one" }, testModeDefaultViews: { users: "other" } };
  expect(defaultViewsIn(preferences, "live")).toEqual({ users: "one" });
  expect(defaultViewsIn(preferences, "test")).toEqual({ users: "other" });
});

const known = {
  fields: {
    status: { kind: "choice", options: ["active"], sort: true },
    name: { kind: "text" },
  } as const,
  columns: [{ id: "name" }, { id: "status" }],
  operatorsOf,
};

test.each([
  { view: { f: ["status:any:active"], sort: "-status", cols: ["name"] }, isWhole: true },
  { view: { f: ["name:contains:a:b"] }, isWhole: true },
  { view: { f: ["gone:any:active", "status:any:active"] }, left: { f: ["status:any:active"] } },
  { view: { f: ["status:any:active,gone"] }, left: { f: [] } },
  { view: { f: ["status:contains:a"] }, left: { f: [] } },
  { view: { f: [], sort: "status,-gone,name" }, left: { sort: "status" } },
  { view: { f: [], cols: ["gone", "name"] }, left: { cols: ["name"] } },
  { view: { f: [], cols: ["gone"] }, left: { cols: undefined } },
  { view: { f: ["constructor:any:x"] }, left: { f: [] } },
])("opens $view with what the list still has", ({ view, isWhole = false, left = view }) => {
  expect(remainderOf(view, known)).toMatchObject({ isWhole, left });
});
