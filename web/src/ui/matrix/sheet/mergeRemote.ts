import type { Value } from "@purser/contract/fields/values";
import {
  appsOf,
  type Content,
  type Edit,
  isIncluded,
  isWrong,
  type Matrix,
  type MatrixApp,
  type MatrixChange,
  type MatrixFeature,
  pickedApp,
  type Sheet,
  storedOf,
} from "./cells.ts";

/** Apps that are not in the server's copy, with as many other packages beside them as it has now. */
const stillPicked = (sheet: Sheet, fresh: Matrix) =>
  sheet.picked
    .filter(({ id }) => !fresh.apps.some((app) => app.id === id))
    .map((app) => pickedApp(app, fresh.others.length));

/**
 * A fresh copy of the server under what was changed here. Cells that nobody touched here take theirs;
 * a touched one keeps both what it is and what it was, so that a clash is noticed and asked about.
 */
export const takeFresh = (sheet: Sheet, matrix: Matrix): Sheet => {
  const picked = stillPicked(sheet, matrix);
  const all = appsOf({ matrix, picked });
  const spots = new Map(
    all.flatMap((app) => app.features.map((feature) => [feature.id, { app, feature }] as const)),
  );
  const apps = new Map(
    [...sheet.apps].filter(([id, isIn]) => {
      const app = all.find((one) => one.id === id);
      return app !== undefined && app.included !== isIn;
    }),
  );
  const cells = new Map(
    [...sheet.cells].filter(([id, { now }]) => {
      const spot = spots.get(id);
      // An app that somebody else took out takes what was changed in it along.
      if (!spot || !(spot.app.included || apps.get(spot.app.id))) return false;
      return isWrong(now) || now !== spot.feature.value;
    }),
  );
  return { matrix, picked, spots, cells, apps };
};

/** The packages beside this one stay those that are looked at, whatever the answer to a save shows. */
const besideAsBefore = ({ matrix, spots }: Sheet, fresh: Matrix): Matrix => ({
  ...fresh,
  others: matrix.others,
  apps: fresh.apps.map((app) => ({
    ...app,
    features: app.features.map((feature) => ({
      ...feature,
      others: spots.get(feature.id)?.feature.others ?? matrix.others.map(() => null),
    })),
  })),
});

/** After a save: what was sent is what the cells were last, also those that were changed again meanwhile. */
export const takeSaved = (sheet: Sheet, fresh: Matrix, sent: MatrixChange): Sheet => {
  const cells = new Map(sheet.cells);
  for (const { featureId, value } of sent.cells) {
    const edit = cells.get(featureId);
    if (edit) cells.set(featureId, { ...edit, was: value });
    // Taken back while it was being saved: that is a change again.
    else if (sheet.spots.has(featureId))
      cells.set(featureId, { now: storedOf(sheet, featureId), was: value });
  }
  return takeFresh({ ...sheet, cells }, besideAsBefore(sheet, fresh));
};

export type Clash = {
  app: MatrixApp;
  feature: MatrixFeature;
  was: Value | null;
  mine: Content;
  theirs: Value | null;
};

/** Cells that both changed, and not to the same. */
export const clashesOf = (sheet: Sheet): Clash[] =>
  [...sheet.cells].flatMap(([id, { now, was }]) => {
    const spot = sheet.spots.get(id);
    if (!spot || !isIncluded(sheet, spot.app)) return [];
    const theirs = spot.feature.value;
    return theirs === was ? [] : [{ ...spot, was, mine: now, theirs }];
  });

export type Side = "mine" | "theirs";

/** Each cell as somebody decided it: theirs is taken over, mine is a change of theirs from now on. */
export const settle = (sheet: Sheet, sides: ReadonlyMap<string, Side>): Sheet => {
  const cells = new Map<string, Edit>(sheet.cells);
  for (const [id, side] of sides) {
    const edit = cells.get(id);
    if (side === "theirs") cells.delete(id);
    else if (edit) cells.set(id, { ...edit, was: storedOf(sheet, id) });
  }
  return { ...sheet, cells };
};

type Found = { cells: Record<string, Edit>; apps: Record<string, boolean> };

/** Changes that were kept from an earlier time, each over what it was then: what changed since clashes. */
export const takeUp = (sheet: Sheet, { cells, apps }: Found): Sheet => {
  const found = new Map([...sheet.cells, ...Object.entries(cells)]);
  return takeFresh(
    { ...sheet, cells: found, apps: new Map([...sheet.apps, ...Object.entries(apps)]) },
    sheet.matrix,
  );
};
