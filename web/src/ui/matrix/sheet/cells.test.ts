import { expect, test } from "vitest";
import {
  applyStep,
  changeOf,
  changesOf,
  contentOf,
  invalidCells,
  sheetOf,
  stepTo,
  type Wanted,
  withAddedApps,
} from "./cells.ts";
import { applyRemote, applySaved, conflictsOf, resolveConflicts } from "./mergeRemote.ts";
import { appWith, idOf, limitFeature, matrixWith, switchFeature, withValues } from "./testing.ts";
import { applyChange, historyOf, redo, undo } from "./undoHistory.ts";

const [seats, storage, raw] = [idOf(101), idOf(102), idOf(103)];
const [app, other] = [idOf(1), idOf(2)];
const matrix = matrixWith([
  appWith(app, [
    limitFeature({ id: seats, value: 5 }),
    limitFeature({ id: storage, value: 100 }),
    switchFeature({ id: raw }),
  ]),
]);
const sheet = sheetOf(matrix);
const doing = (wanted: Wanted, from = sheet) => {
  const step = stepTo(from, wanted);
  if (!step) throw new Error("Nothing was to be done.");
  return applyStep(from, step, "after");
};

test("sends only changed cells, each with its previous value", () => {
  const edited = doing({
    cells: [
      [seats, 25],
      [raw, true],
    ],
  });
  expect(changeOf(edited)).toEqual({
    addApps: [],
    removeApps: [],
    cells: [
      { featureId: seats, value: 25, was: 5 },
      { featureId: raw, value: true, was: null },
    ],
    perUnit: [],
  });
  expect(changesOf(edited)).toBe(2);
});

test("MX5 resets a cell without a value to the default and sends null", () => {
  expect(changeOf(doing({ cells: [[seats, null]] })).cells).toEqual([
    { featureId: seats, value: null, was: 5 },
  ]);
});

test("is no change once a cell equals the stored value", () => {
  expect(changesOf(doing({ cells: [[seats, 5]] }, doing({ cells: [[seats, 25]] })))).toBe(0);
  expect(stepTo(sheet, { cells: [[seats, 5]] })).toBeNull();
});

test("counts and keeps invalid text but never sends it", () => {
  const edited = doing({ cells: [[seats, { typed: "12.5", why: "must be a whole number" }]] });
  expect(invalidCells(edited)).toEqual([seats]);
  expect(contentOf(edited, seats)).toMatchObject({ typed: "12.5" });
  expect(changeOf(edited).cells).toEqual([]);
});

test("drops changed cells of a removed app and restores them when it is added again", () => {
  let history = applyChange(historyOf(sheet), { cells: [[seats, 25]] });
  history = applyChange(history, { apps: [[app, false]] });
  expect(changeOf(history.sheet)).toEqual({
    addApps: [],
    removeApps: [app],
    cells: [],
    perUnit: [],
  });
  expect(changeOf(undo(history).sheet)).toEqual({
    addApps: [],
    removeApps: [],
    cells: [{ featureId: seats, value: 25, was: 5 }],
    perUnit: [],
  });
});

test("adds an app with its features at their defaults", () => {
  const pages = idOf(201);
  const known = withAddedApps(sheet, [appWith(other, [limitFeature({ id: pages, value: 9 })])]);
  const edited = doing({ apps: [[other, true]], cells: [[pages, 3]] }, known);
  expect(changeOf(edited)).toEqual({
    addApps: [other],
    removeApps: [],
    cells: [{ featureId: pages, value: 3, was: null }],
    perUnit: [],
  });
});

test("MX3 undoes and redoes several cells as one step", () => {
  const history = applyChange(historyOf(sheet), {
    cells: [
      [seats, 1],
      [storage, 2],
      [raw, true],
    ],
  });
  expect(changesOf(history.sheet)).toBe(3);
  expect(changesOf(undo(history).sheet)).toBe(0);
  expect(changeOf(redo(undo(history)).sheet)).toEqual(changeOf(history.sheet));
  // A new action after undo clears the redo steps.
  expect(applyChange(undo(history), { cells: [[seats, 9]] }).future).toEqual([]);
});

test("can undo a saved change, which makes it a change again", () => {
  const history = applyChange(historyOf(sheet), { cells: [[seats, 25]] });
  const saved = applySaved(
    history.sheet,
    withValues(matrix, { [seats]: 25 }),
    changeOf(history.sheet),
  );
  expect(changesOf(saved)).toBe(0);
  expect(changeOf(undo({ ...history, sheet: saved }).sheet).cells).toEqual([
    { featureId: seats, value: 5, was: 25 },
  ]);
});

test("MX7 takes remote values for untouched cells and keeps changed ones", () => {
  const met = applyRemote(doing({ cells: [[seats, 25]] }), withValues(matrix, { [storage]: 250 }));
  expect([contentOf(met, seats), contentOf(met, storage)]).toEqual([25, 250]);
  expect(conflictsOf(met)).toEqual([]);
  expect(changeOf(met).cells).toEqual([{ featureId: seats, value: 25, was: 5 }]);
});

test("MX7 reports a cell changed by both and resolves it cell by cell", () => {
  const edited = doing({
    cells: [
      [seats, 25],
      [storage, 150],
    ],
  });
  const met = applyRemote(edited, withValues(matrix, { [seats]: 10, [storage]: 300 }));
  expect(conflictsOf(met).map(({ was, mine, theirs }) => [was, mine, theirs])).toEqual([
    [5, 25, 10],
    [100, 150, 300],
  ]);
  const settled = resolveConflicts(
    met,
    new Map([
      [seats, "mine"],
      [storage, "theirs"],
    ]),
  );
  expect(conflictsOf(settled)).toEqual([]);
  expect(changeOf(settled).cells).toEqual([{ featureId: seats, value: 25, was: 10 }]);
  expect(contentOf(settled, storage)).toBe(300);
});

test("has no conflict and nothing to save if both made the same change", () => {
  const met = applyRemote(doing({ cells: [[seats, 25]] }), withValues(matrix, { [seats]: 25 }));
  expect([conflictsOf(met), changesOf(met)]).toEqual([[], 0]);
});

test("takes the remote value when the local change is undone", () => {
  const history = applyChange(historyOf(sheet), { cells: [[seats, 25]] });
  const met = applyRemote(history.sheet, withValues(matrix, { [seats]: 10 }));
  const back = undo({ ...history, sheet: met }).sheet;
  expect([contentOf(back, seats), changesOf(back)]).toEqual([10, 0]);
});

test("keeps edits made during a save", () => {
  const first = doing({ cells: [[seats, 25]] });
  const sent = changeOf(first);
  const again = doing({ cells: [[seats, 26]] }, first);
  const saved = applySaved(again, withValues(matrix, { [seats]: 25 }), sent);
  expect(changeOf(saved).cells).toEqual([{ featureId: seats, value: 26, was: 25 }]);
  expect(conflictsOf(saved)).toEqual([]);
  const takenBack = applySaved(sheet, withValues(matrix, { [seats]: 25 }), sent);
  expect(changeOf(takenBack).cells).toEqual([{ featureId: seats, value: 5, was: 25 }]);
});

test("drops changes of an app that was removed remotely", () => {
  const without = {
    ...matrix,
    apps: matrix.apps.map((one) => ({ ...one, included: false })),
  };
  expect(changesOf(applyRemote(doing({ cells: [[seats, 25]] }), without))).toBe(0);
});

test("multiplying an amount by the quantity is a change that can be undone and merged", () => {
  const edited = doing({ units: [[seats, true]] });
  expect(changeOf(edited)).toEqual({
    addApps: [],
    removeApps: [],
    cells: [],
    perUnit: [{ featureId: seats, perUnit: true }],
  });
  expect(changesOf(edited)).toBe(1);
  expect(changesOf(doing({ cells: [[seats, 7]] }, edited))).toBe(1);
  expect(changesOf(doing({ units: [[seats, false]] }, edited))).toBe(0);
  expect(undo(applyChange(historyOf(sheet), { units: [[seats, true]] })).sheet.units.size).toBe(0);
  const saved = matrixWith([
    appWith(app, [
      limitFeature({ id: seats, value: 5, perUnit: true }),
      limitFeature({ id: storage, value: 100 }),
      switchFeature({ id: raw }),
    ]),
  ]);
  expect(changesOf(applyRemote(edited, saved))).toBe(0);
});

test("only amounts are multiplied", () => {
  expect(changeOf(doing({ units: [[raw, true]] })).perUnit).toEqual([]);
  expect(
    changeOf(doing({ cells: [[seats, "unlimited"]], units: [[seats, true]] })).perUnit,
  ).toEqual([]);
});
