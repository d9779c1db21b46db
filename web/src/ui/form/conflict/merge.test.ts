import { expect, test } from "vitest";
import { changedFields, mergeChanges, rebaseEdits } from "./merge.ts";

const base = { name: "Harbor", code: "harbor", platforms: ["web"], description: "" };

test("keeps a change that only one side made", () => {
  const mine = { ...base, name: "Harbour" };
  const theirs = { ...base, platforms: ["web", "ios"] };
  expect(mergeChanges(base, mine, theirs)).toEqual({
    merged: { ...base, name: "Harbour", platforms: ["web", "ios"] },
    clashes: [],
    theirs: ["platforms"],
    mine: ["name"],
  });
});

test("reports a field changed differently by both, with our value until decided", () => {
  const merge = mergeChanges(
    base,
    { ...base, name: "Mine" },
    { ...base, name: "Theirs", code: "port" },
  );
  expect(merge.clashes).toEqual(["name"]);
  expect(merge.theirs).toEqual(["code"]);
  expect(merge.merged).toMatchObject({ name: "Mine", code: "port" });
});

test("reports no conflict for equal changes", () => {
  const same = { ...base, name: "Harbour" };
  expect(mergeChanges(base, same, { ...same })).toMatchObject({
    clashes: [],
    theirs: [],
    mine: [],
  });
});

test("compares lists by value", () => {
  expect(changedFields(base, { ...base, platforms: ["web"] })).toEqual([]);
  expect(changedFields(base, { ...base, platforms: ["ios"] })).toEqual(["platforms"]);
});

test("compares objects by value, in any key order", () => {
  const terms = { amount: { value: 1, currency: "EUR" }, at: null };
  expect(changedFields(terms, { ...terms, amount: { currency: "EUR", value: 1 } })).toEqual([]);
  const dearer = { ...terms, amount: { currency: "EUR", value: 2 } };
  expect(changedFields(terms, dearer)).toEqual(["amount"]);
});

const typed = { ...base, name: "Harbour" };

test("merges edits of an older version with newer saved values", () => {
  const now = { values: { ...base, code: "port" }, version: 3 };
  expect(rebaseEdits({ values: base, version: 2 }, typed, now)).toMatchObject({
    base,
    current: now,
    merged: { name: "Harbour", code: "port" },
    clashes: [],
  });
  const renamed = { values: { ...base, name: "Port" }, version: 3 };
  expect(rebaseEdits({ values: base, version: 2 }, typed, renamed).clashes).toEqual(["name"]);
});

test("takes the newer version that the edits were based on", () => {
  const newer = { values: { ...base, code: "port" }, version: 3 };
  const mine = { ...newer.values, name: "Harbour" };
  expect(rebaseEdits(newer, mine, { values: base, version: 2 })).toMatchObject({
    current: newer,
    merged: mine,
    clashes: [],
  });
});

test("takes edits of the same version as they are, also for new records", () => {
  const before = { values: { ...base, code: "other" }, version: 0 };
  const now = { values: base, version: 0 };
  expect(rebaseEdits(before, typed, now)).toMatchObject({ merged: typed, clashes: [], base });
});
