import { expect, test } from "vitest";
import type { Action, ActionEntry } from "./action.ts";
import { mainLinesOf } from "./changes.ts";

type Given = Partial<ActionEntry> & Pick<ActionEntry, "entity" | "action" | "changes">;

const linesOf = (...given: Given[]) => {
  const entries = given.map((one, place) => ({
    id: String(place + 1),
    recordId: "r",
    label: "Studio v4",
    reverts: null,
    ...one,
  }));
  const action = { entries, published: [] } as unknown as Action;
  return mainLinesOf(action, { names: {}, zone: "UTC" }).map(({ field, before, after }) => [
    field,
    before,
    after,
  ]);
};

const price = (currency: string, before: number | null, after: number | null) => ({
  field: `${currency} every 1 month`,
  before,
  after,
});

const entry = (
  entity: string,
  action: ActionEntry["action"],
  ...changes: ActionEntry["changes"]
) => ({ entity, action, changes });

test("a new draft shows what was changed in it, and not what it copied", () => {
  const lines = linesOf(
    entry("package_versions", "insert", { field: "number", before: null, after: 4 }),
    entry("version_prices", "insert", price("EUR", null, 3400), price("USD", null, 3700)),
    entry("version_prices", "update", price("EUR", 3400, 3600)),
    entry("version_prices", "insert", price("GBP", null, 2900)),
  );
  expect(lines).toEqual([
    ["EUR monthly price", "34.00", "36.00"],
    ["GBP monthly price", null, "29.00"],
  ]);
});

test("a new package shows its first prices", () => {
  const lines = linesOf(
    entry("packages", "insert"),
    entry("package_versions", "insert"),
    entry("version_prices", "insert", price("EUR", null, 3400)),
  );
  expect(lines).toEqual([["EUR monthly price", null, "34.00"]]);
});

test("a reverted archiving shows the status, which its sentence doesn't name", () => {
  const archived = entry("apps", "update", {
    field: "status",
    before: "active",
    after: "archived",
  });
  expect(linesOf(archived)).toEqual([]);
  expect(linesOf({ ...archived, reverts: "7" })).toEqual([["Status", "Active", "Archived"]]);
});
