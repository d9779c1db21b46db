import { expect, test } from "vitest";
import {
  changeOf,
  changesOf,
  contentOf,
  sheetOf,
  stepTo,
  takeStep,
  type Wanted,
  withPicked,
  wrongIn,
} from "./cells.ts";
import { clashesOf, settle, takeFresh, takeSaved } from "./mergeRemote.ts";
import { appWith, idOf, limitFeature, matrixWith, switchFeature, withValues } from "./testing.ts";
import { act, bookOf, redo, undo } from "./undoHistory.ts";

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
  return takeStep(from, step, "after");
};

test("a change carries only the cells that were changed, each with what it was", () => {
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
  });
  expect(changesOf(edited)).toBe(2);
});

test("MX5 a cell without a value returns to the default, and the change says null", () => {
  expect(changeOf(doing({ cells: [[seats, null]] })).cells).toEqual([
    { featureId: seats, value: null, was: 5 },
  ]);
});

test("a cell that is back at what is stored is no change", () => {
  expect(changesOf(doing({ cells: [[seats, 5]] }, doing({ cells: [[seats, 25]] })))).toBe(0);
  expect(stepTo(sheet, { cells: [[seats, 5]] })).toBeNull();
});

test("what is no value is counted, kept as typed, and never sent", () => {
  const edited = doing({ cells: [[seats, { typed: "12.5", why: "must be a whole number" }]] });
  expect(wrongIn(edited)).toEqual([seats]);
  expect(contentOf(edited, seats)).toMatchObject({ typed: "12.5" });
  expect(changeOf(edited).cells).toEqual([]);
});

test("an app that goes out takes its changed cells along, and back in brings them again", () => {
  let book = act(bookOf(sheet), { cells: [[seats, 25]] });
  book = act(book, { apps: [[app, false]] });
  expect(changeOf(book.sheet)).toEqual({ addApps: [], removeApps: [app], cells: [] });
  expect(changeOf(undo(book).sheet)).toEqual({
    addApps: [],
    removeApps: [],
    cells: [{ featureId: seats, value: 25, was: 5 }],
  });
});

test("an app that is added comes with its features at their defaults", () => {
  const pages = idOf(201);
  const known = withPicked(sheet, [appWith(other, [limitFeature({ id: pages, value: 9 })])]);
  const edited = doing({ apps: [[other, true]], cells: [[pages, 3]] }, known);
  expect(changeOf(edited)).toEqual({
    addApps: [other],
    removeApps: [],
    cells: [{ featureId: pages, value: 3, was: null }],
  });
});

test("MX3 several cells at once are one step back, and one forward", () => {
  const book = act(bookOf(sheet), {
    cells: [
      [seats, 1],
      [storage, 2],
      [raw, true],
    ],
  });
  expect(changesOf(book.sheet)).toBe(3);
  expect(changesOf(undo(book).sheet)).toBe(0);
  expect(changeOf(redo(undo(book)).sheet)).toEqual(changeOf(book.sheet));
  // Something else done instead of what was taken back.
  expect(act(undo(book), { cells: [[seats, 9]] }).future).toEqual([]);
});

test("what was saved can still be taken back: then it is a change again", () => {
  const book = act(bookOf(sheet), { cells: [[seats, 25]] });
  const saved = takeSaved(book.sheet, withValues(matrix, { [seats]: 25 }), changeOf(book.sheet));
  expect(changesOf(saved)).toBe(0);
  expect(changeOf(undo({ ...book, sheet: saved }).sheet).cells).toEqual([
    { featureId: seats, value: 5, was: 25 },
  ]);
});

test("MX7 cells that I did not touch take a colleague's value, mine stay", () => {
  const met = takeFresh(doing({ cells: [[seats, 25]] }), withValues(matrix, { [storage]: 250 }));
  expect([contentOf(met, seats), contentOf(met, storage)]).toEqual([25, 250]);
  expect(clashesOf(met)).toEqual([]);
  expect(changeOf(met).cells).toEqual([{ featureId: seats, value: 25, was: 5 }]);
});

test("MX7 a cell that both changed clashes, and is settled cell by cell", () => {
  const edited = doing({
    cells: [
      [seats, 25],
      [storage, 150],
    ],
  });
  const met = takeFresh(edited, withValues(matrix, { [seats]: 10, [storage]: 300 }));
  expect(clashesOf(met).map(({ was, mine, theirs }) => [was, mine, theirs])).toEqual([
    [5, 25, 10],
    [100, 150, 300],
  ]);
  const settled = settle(
    met,
    new Map([
      [seats, "mine"],
      [storage, "theirs"],
    ]),
  );
  expect(clashesOf(settled)).toEqual([]);
  expect(changeOf(settled).cells).toEqual([{ featureId: seats, value: 25, was: 10 }]);
  expect(contentOf(settled, storage)).toBe(300);
});

test("both changed a cell to the same: there is nothing to ask, and nothing to save", () => {
  const met = takeFresh(doing({ cells: [[seats, 25]] }), withValues(matrix, { [seats]: 25 }));
  expect([clashesOf(met), changesOf(met)]).toEqual([[], 0]);
});

test("what I take back while a colleague's value stands there becomes theirs", () => {
  const book = act(bookOf(sheet), { cells: [[seats, 25]] });
  const met = takeFresh(book.sheet, withValues(matrix, { [seats]: 10 }));
  const back = undo({ ...book, sheet: met }).sheet;
  expect([contentOf(back, seats), changesOf(back)]).toEqual([10, 0]);
});

test("what is typed while a save is under way stays, over what was saved", () => {
  const first = doing({ cells: [[seats, 25]] });
  const sent = changeOf(first);
  const again = doing({ cells: [[seats, 26]] }, first);
  const saved = takeSaved(again, withValues(matrix, { [seats]: 25 }), sent);
  expect(changeOf(saved).cells).toEqual([{ featureId: seats, value: 26, was: 25 }]);
  expect(clashesOf(saved)).toEqual([]);
  const takenBack = takeSaved(sheet, withValues(matrix, { [seats]: 25 }), sent);
  expect(changeOf(takenBack).cells).toEqual([{ featureId: seats, value: 5, was: 25 }]);
});

test("an app that a colleague took out takes what was changed in it along", () => {
  const without = {
    ...matrix,
    apps: matrix.apps.map((one) => ({ ...one, included: false })),
  };
  expect(changesOf(takeFresh(doing({ cells: [[seats, 25]] }), without))).toBe(0);
});
