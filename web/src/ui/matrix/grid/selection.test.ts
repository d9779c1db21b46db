import { expect, test } from "vitest";
import { sheetOf, stepTo, takeStep } from "../sheet/cells.ts";
import { isFeatureRow, type Narrowing, rowsOf } from "../sheet/rows.ts";
import { appWith, idOf, limitFeature, matrixWith } from "../sheet/testing.ts";
import {
  featuresIn,
  groundOf,
  moved,
  nextFeature,
  type Place,
  rangeOf,
  shownPlace,
} from "./selection.ts";
import { drawnMax, offsetsOf, piecesOf, viewOf } from "./virtualRows.ts";

const all: Narrowing = { find: "", onlyChanged: false, onlyDifferences: false };
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
const ground = groundOf(rows, { cols: 4, page: 3, stops: 2 });
const at = (key: string, col = 2, stop = 0): Place => ({ key, col, stop });
const press = (place: Place, key: string, ctrl = false) => moved(ground, place, { key, ctrl });

test("arrows move by one, through apps' rows, and keep their column", () => {
  expect(press(at(idOf(1002)), "ArrowDown")).toEqual(at(idOf(2)));
  expect(press(at(idOf(2)), "ArrowDown")).toEqual(at(idOf(2000)));
  expect(press(at(idOf(1)), "ArrowUp")).toEqual(at(idOf(1)));
  expect(press(at(idOf(1000)), "ArrowRight")).toEqual(at(idOf(1000), 3));
  expect(press(at(idOf(1000), 3), "ArrowRight")).toEqual(at(idOf(1000), 3));
});

test("in an app's row the arrows go through its acts", () => {
  expect(press(at(idOf(1)), "ArrowRight")).toEqual(at(idOf(1), 2, 1));
  expect(press(at(idOf(1), 2, 2), "ArrowRight")).toEqual(at(idOf(1), 2, 2));
  expect(press(at(idOf(1), 2, 1), "ArrowDown")).toEqual(at(idOf(1000)));
});

test("Home, End, pages and the corners", () => {
  expect(press(at(idOf(1000)), "Home")).toEqual(at(idOf(1000), 0));
  expect(press(at(idOf(1000)), "End")).toEqual(at(idOf(1000), 3));
  expect(press(at(idOf(1000)), "PageDown")).toEqual(at(idOf(2)));
  expect(press(at(idOf(2002)), "PageUp")).toEqual(at(idOf(2)));
  expect(press(at(idOf(1000)), "End", true)).toEqual(at(idOf(2002), 3));
  expect(press(at(idOf(1000)), "Home", true)).toEqual(at(idOf(1), 0));
  expect(press(at(idOf(1000)), "x")).toBeNull();
});

test("a value that was typed leads to the next feature, past the app's row", () => {
  expect(nextFeature(ground, at(idOf(1002)), 1)).toEqual(at(idOf(2000)));
  expect(nextFeature(ground, at(idOf(2002)), 1)).toEqual(at(idOf(2002)));
});

test("MX4 a selection holds the features between where it began and where it is", () => {
  const range = rangeOf(ground, { anchor: at(idOf(1001)), focus: at(idOf(2000)) });
  expect(range).toEqual({ top: 2, bottom: 5, left: 2, right: 2 });
  expect(featuresIn(ground, range).map(({ key }) => key)).toEqual([
    idOf(1001),
    idOf(1002),
    idOf(2000),
  ]);
});

test("what is folded away or filtered out gives the focus to its app, or to the first feature", () => {
  const folded = rowsOf(sheet, all, new Set([idOf(1)]));
  expect(folded.map(({ key }) => key)).toEqual([
    idOf(1),
    idOf(2),
    idOf(2000),
    idOf(2001),
    idOf(2002),
  ]);
  const small = groundOf(folded, { cols: 4, page: 3, stops: 2 });
  const appOf = (feature: string) => (feature === idOf(1001) ? idOf(1) : undefined);
  expect(shownPlace(small, at(idOf(1001)), appOf, 2)?.key).toBe(idOf(1));
  expect(shownPlace(small, null, appOf, 2)?.key).toBe(idOf(2000));
});

test("rows can be narrowed to a name, to what changed and to what differs from others", () => {
  const keys = (narrowing: Partial<Narrowing>, from = sheet) =>
    rowsOf(from, { ...all, ...narrowing }, new Set([idOf(1)]))
      .filter(isFeatureRow)
      .map(({ key }) => key);
  expect(keys({ find: "limit 1001" })).toEqual([idOf(1001)]);
  expect(keys({ onlyDifferences: true })).toEqual([idOf(1000), idOf(2000)]);
  expect(keys({ onlyChanged: true })).toEqual([]);
  const step = stepTo(sheet, { cells: [[idOf(2001), 77]] });
  expect(step && keys({ onlyChanged: true }, takeStep(sheet, step, "after"))).toEqual([idOf(2001)]);
});

test("MX8 of a thousand rows only those near the view are drawn, and the one with the focus", () => {
  const many = rowsOf(sheetWith(40, 25), all, new Set());
  expect(many).toHaveLength(1040);
  const offsets = offsetsOf(many);
  const view = viewOf(offsets, 20_000, 800);
  expect(view.to - view.from).toBeLessThan(60);
  const pieces = piecesOf(offsets, view, 1039);
  const drawn = pieces.flatMap((piece) => (piece.kind === "row" ? [piece.index] : []));
  expect(drawn.at(-1)).toBe(1039);
  const gaps = pieces.reduce((sum, piece) => sum + (piece.kind === "gap" ? piece.height : 0), 0);
  const heights = drawn.reduce(
    (sum, index) => sum + ((offsets[index + 1] ?? 0) - (offsets[index] ?? 0)),
    0,
  );
  expect(gaps + heights).toBe(offsets.at(-1));
});

test("up to two hundred rows all are drawn", () => {
  const offsets = offsetsOf(Array.from({ length: drawnMax }, () => ({ feature: {} })));
  expect(viewOf(offsets, 3000, 500)).toEqual({ from: 0, to: drawnMax });
});
