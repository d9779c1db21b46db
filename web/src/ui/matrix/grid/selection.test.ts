import { expect, test } from "vitest";
import { applyStep, sheetOf, stepTo } from "../sheet/cells.ts";
import { isFeatureRow, type RowFilter, rowsOf } from "../sheet/rows.ts";
import { appWith, idOf, limitFeature, matrixWith } from "../sheet/testing.ts";
import {
  featuresIn,
  gridRowsOf,
  moveFocus,
  nextFeature,
  type Place,
  rangeOf,
  visiblePlace,
} from "./selection.ts";
import { offsetsOf, renderAllMax, rowsAndGaps, viewOf } from "./virtualRows.ts";

const all: RowFilter = { find: "", onlyChanged: false, onlyDifferences: false };
const sheetWith = (apps: number, features: number) =>
  sheetOf(
    matrixWith(
      Array.from({ length: apps }, (_, a) =>
        appWith(
          idOf(a + 1),
          Array.from({ length: features }, (__, f) =>
            limitFeature({
              id: idOf((a + 1) * 1000 + f),
              value: f,
              onSale: f,
              others: [f === 0 ? 9 : f],
            }),
          ),
        ),
      ),
    ),
  );

const sheet = sheetWith(2, 3);
const rows = rowsOf(sheet, all, new Set());
const ground = gridRowsOf(rows, { cols: 4, page: 3, stops: 2 });
const at = (key: string, col = 2, stop = 0): Place => ({ key, col, stop });
const press = (place: Place, key: string, ctrl = false) => moveFocus(ground, place, { key, ctrl });

test("moves by arrow keys through app rows and keeps the column", () => {
  expect(press(at(idOf(1002)), "ArrowDown")).toEqual(at(idOf(2)));
  expect(press(at(idOf(2)), "ArrowDown")).toEqual(at(idOf(2000)));
  expect(press(at(idOf(1)), "ArrowUp")).toEqual(at(idOf(1)));
  expect(press(at(idOf(1000)), "ArrowRight")).toEqual(at(idOf(1000), 3));
  expect(press(at(idOf(1000), 3), "ArrowRight")).toEqual(at(idOf(1000), 3));
});

test("moves through the buttons of an app row", () => {
  expect(press(at(idOf(1)), "ArrowRight")).toEqual(at(idOf(1), 2, 1));
  expect(press(at(idOf(1), 2, 2), "ArrowRight")).toEqual(at(idOf(1), 2, 2));
  expect(press(at(idOf(1), 2, 1), "ArrowDown")).toEqual(at(idOf(1000)));
});

test("handles Home, End, Page Up, Page Down and the corners", () => {
  expect(press(at(idOf(1000)), "Home")).toEqual(at(idOf(1000), 0));
  expect(press(at(idOf(1000)), "End")).toEqual(at(idOf(1000), 3));
  expect(press(at(idOf(1000)), "PageDown")).toEqual(at(idOf(2)));
  expect(press(at(idOf(2002)), "PageUp")).toEqual(at(idOf(2)));
  expect(press(at(idOf(1000)), "End", true)).toEqual(at(idOf(2002), 3));
  expect(press(at(idOf(1000)), "Home", true)).toEqual(at(idOf(1), 0));
  expect(press(at(idOf(1000)), "x")).toBeNull();
});

test("moves to the next feature after typing, skipping app rows", () => {
  expect(nextFeature(ground, at(idOf(1002)), 1)).toEqual(at(idOf(2000)));
  expect(nextFeature(ground, at(idOf(2002)), 1)).toEqual(at(idOf(2002)));
});

test("MX4 selects the features between anchor and focus", () => {
  const range = rangeOf(ground, { anchor: at(idOf(1001)), focus: at(idOf(2000)) });
  expect(range).toEqual({ top: 2, bottom: 5, left: 2, right: 2 });
  expect(featuresIn(ground, range).map(({ key }) => key)).toEqual([
    idOf(1001),
    idOf(1002),
    idOf(2000),
  ]);
});

test("moves the focus of a hidden row to its app, or to the first feature", () => {
  const folded = rowsOf(sheet, all, new Set([idOf(1)]));
  expect(folded.map(({ key }) => key)).toEqual([
    idOf(1),
    idOf(2),
    idOf(2000),
    idOf(2001),
    idOf(2002),
  ]);
  const small = gridRowsOf(folded, { cols: 4, page: 3, stops: 2 });
  const appOf = (feature: string) => (feature === idOf(1001) ? idOf(1) : undefined);
  expect(visiblePlace(small, at(idOf(1001)), appOf, 2)?.key).toBe(idOf(1));
  expect(visiblePlace(small, null, appOf, 2)?.key).toBe(idOf(2000));
});

test("filters rows by name, by changes and by differences", () => {
  const keys = (narrowing: Partial<RowFilter>, from = sheet) =>
    rowsOf(from, { ...all, ...narrowing }, new Set([idOf(1)]))
      .filter(isFeatureRow)
      .map(({ key }) => key);
  expect(keys({ find: "limit 1001" })).toEqual([idOf(1001)]);
  expect(keys({ onlyDifferences: true })).toEqual([idOf(1000), idOf(2000)]);
  expect(keys({ onlyChanged: true })).toEqual([]);
  const step = stepTo(sheet, { cells: [[idOf(2001), 77]] });
  expect(step && keys({ onlyChanged: true }, applyStep(sheet, step, "after"))).toEqual([
    idOf(2001),
  ]);
});

test("MX8 renders only the rows near the view and the focused one out of a thousand", () => {
  const many = rowsOf(sheetWith(40, 25), all, new Set());
  expect(many).toHaveLength(1040);
  const offsets = offsetsOf(many);
  const view = viewOf(offsets, 20_000, 800);
  expect(view.to - view.from).toBeLessThan(60);
  const pieces = rowsAndGaps(offsets, view, 1039);
  const drawn = pieces.flatMap((piece) => (piece.kind === "row" ? [piece.index] : []));
  expect(drawn.at(-1)).toBe(1039);
  const gaps = pieces.reduce((sum, piece) => sum + (piece.kind === "gap" ? piece.height : 0), 0);
  const heights = drawn.reduce(
    (sum, index) => sum + ((offsets[index + 1] ?? 0) - (offsets[index] ?? 0)),
    0,
  );
  expect(gaps + heights).toBe(offsets.at(-1));
});

test("renders all rows up to two hundred", () => {
  const offsets = offsetsOf(Array.from({ length: renderAllMax }, () => ({ feature: {} })));
  expect(viewOf(offsets, 3000, 500)).toEqual({ from: 0, to: renderAllMax });
});
