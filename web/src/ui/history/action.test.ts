import { expect, test } from "vitest";
import { type Action, otherRecordsOf } from "./action.ts";

const others = (count: number, ...steps: [record: string, state: string][]) => {
  const entries = steps.map(([recordId, after], place) => ({
    entity: "packages",
    action: "update",
    recordId,
    label: recordId,
    changes: [
      { field: "status", before: "active", after },
      { field: "archivedAt", before: null, after: `2026-11-19T00:00:0${place}Z` },
    ],
  }));
  const total = { count, kind: "exact" };
  return otherRecordsOf({ entries, total } as unknown as Action);
};

test("a bulk action counts the other records, also those that aren't listed", () => {
  expect(others(2, ["a", "archived"], ["b", "archived"])).toBe(1);
  expect(others(200, ["a", "archived"], ["b", "archived"])).toBe(199);
});

test("records with another change, and one that was changed alone, aren't counted", () => {
  expect(others(2, ["a", "archived"], ["b", "active"])).toBe(0);
  expect(others(1, ["a", "archived"])).toBe(0);
  expect(others(2, ["a", "archived"], ["a", "archived"])).toBe(0);
});
