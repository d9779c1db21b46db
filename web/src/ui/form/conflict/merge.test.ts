import { expect, test } from "vitest";
import { changedFields, meetingOf, mergeOf } from "./merge.ts";

const base = { name: "Harbor", code: "harbor", platforms: ["web"], description: "" };

test("what only one side changed is kept, whoever it was", () => {
  const mine = { ...base, name: "Harbour" };
  const theirs = { ...base, platforms: ["web", "ios"] };
  expect(mergeOf(base, mine, theirs)).toEqual({
    merged: { ...base, name: "Harbour", platforms: ["web", "ios"] },
    clashes: [],
    theirs: ["platforms"],
    mine: ["name"],
  });
});

test("what both changed differently is asked, and ours stands until then", () => {
  const merge = mergeOf(base, { ...base, name: "Mine" }, { ...base, name: "Theirs", code: "port" });
  expect(merge.clashes).toEqual(["name"]);
  expect(merge.theirs).toEqual(["code"]);
  expect(merge.merged).toMatchObject({ name: "Mine", code: "port" });
});

test("what both changed to the same is nobody's question", () => {
  const same = { ...base, name: "Harbour" };
  expect(mergeOf(base, same, { ...same })).toMatchObject({ clashes: [], theirs: [], mine: [] });
});

test("a list counts as changed by its values, not by being another one", () => {
  expect(changedFields(base, { ...base, platforms: ["web"] })).toEqual([]);
  expect(changedFields(base, { ...base, platforms: ["ios"] })).toEqual(["platforms"]);
});

test("an object counts as changed by its values, not by their order", () => {
  const terms = { amount: { value: 1, currency: "EUR" }, at: null };
  expect(changedFields(terms, { ...terms, amount: { currency: "EUR", value: 1 } })).toEqual([]);
  const dearer = { ...terms, amount: { currency: "EUR", value: 2 } };
  expect(changedFields(terms, dearer)).toEqual(["amount"]);
});

const typed = { ...base, name: "Harbour" };

test("what was typed over an older version meets what others saved since", () => {
  const now = { values: { ...base, code: "port" }, version: 3 };
  expect(meetingOf({ values: base, version: 2 }, typed, now)).toMatchObject({
    base,
    current: now,
    merged: { name: "Harbour", code: "port" },
    clashes: [],
  });
  const renamed = { values: { ...base, name: "Port" }, version: 3 };
  expect(meetingOf({ values: base, version: 2 }, typed, renamed).clashes).toEqual(["name"]);
});

test("what was typed over a newer version than the one at hand brings that version along", () => {
  const newer = { values: { ...base, code: "port" }, version: 3 };
  const mine = { ...newer.values, name: "Harbour" };
  expect(meetingOf(newer, mine, { values: base, version: 2 })).toMatchObject({
    current: newer,
    merged: mine,
    clashes: [],
  });
});

test("what was typed over the same version is taken as it is, also of a record that is not stored yet", () => {
  const before = { values: { ...base, code: "other" }, version: 0 };
  const now = { values: base, version: 0 };
  expect(meetingOf(before, typed, now)).toMatchObject({ merged: typed, clashes: [], base });
});
