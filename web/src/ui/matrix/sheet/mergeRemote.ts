import type { Value } from "@purser/contract/fields/values";
import {
  addedApp,
  appsOf,
  type Content,
  type Edit,
  isIncluded,
  isInvalid,
  type Matrix,
  type MatrixApp,
  type MatrixChange,
  type MatrixFeature,
  type Sheet,
  storedOf,
} from "./cells.ts";

/** Locally added apps, adjusted to the number of other packages shown now. */
const stillPicked = (sheet: Sheet, fresh: Matrix) =>
  sheet.picked
    .filter(({ id }) => !fresh.apps.some((app) => app.id === id))
    .map((app) => addedApp(app, fresh.others.length));

/**
 * Replaces the server's matrix under local changes. Untouched cells take the new values. Changed
 * cells keep their value and the one they were based on, so that conflicts are found.
 */
export const applyRemote = (sheet: Sheet, matrix: Matrix): Sheet => {
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
      // Changes of an app that was removed remotely are dropped.
      if (!spot || !(spot.app.included || apps.get(spot.app.id))) return false;
      return isInvalid(now) || now !== spot.feature.value;
    }),
  );
  const units = new Map(
    [...sheet.units].filter(([id, perUnit]) => {
      const spot = spots.get(id);
      return spot !== undefined && spot.feature.perUnit !== perUnit;
    }),
  );
  return { matrix, picked, spots, cells, units, apps };
};

/** Keeps the displayed packages, whatever the save's answer contains. */
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

/** After a save, the sent values are the new base, also for cells edited meanwhile. */
export const applySaved = (sheet: Sheet, fresh: Matrix, sent: MatrixChange): Sheet => {
  const cells = new Map(sheet.cells);
  for (const { featureId, value } of sent.cells) {
    const edit = cells.get(featureId);
    if (edit) cells.set(featureId, { ...edit, was: value });
    // Undone during the save, which makes it a change again.
    else if (sheet.spots.has(featureId))
      cells.set(featureId, { now: storedOf(sheet, featureId), was: value });
  }
  return applyRemote({ ...sheet, cells }, besideAsBefore(sheet, fresh));
};

export type CellConflict = {
  app: MatrixApp;
  feature: MatrixFeature;
  was: Value | null;
  mine: Content;
  theirs: Value | null;
};

/** Cells changed differently by both sides. */
export const conflictsOf = (sheet: Sheet): CellConflict[] =>
  [...sheet.cells].flatMap(([id, { now, was }]) => {
    const spot = sheet.spots.get(id);
    if (!spot || !isIncluded(sheet, spot.app)) return [];
    const theirs = spot.feature.value;
    return theirs === was ? [] : [{ ...spot, was, mine: now, theirs }];
  });

export type Side = "mine" | "theirs";

/** Resolves conflicts: "theirs" drops the local change, "mine" rebases it on theirs. */
export const resolveConflicts = (sheet: Sheet, sides: ReadonlyMap<string, Side>): Sheet => {
  const cells = new Map<string, Edit>(sheet.cells);
  for (const [id, side] of sides) {
    const edit = cells.get(id);
    if (side === "theirs") cells.delete(id);
    else if (edit) cells.set(id, { ...edit, was: storedOf(sheet, id) });
  }
  return { ...sheet, cells };
};

type Found = {
  cells: Record<string, Edit>;
  /** Drafts of earlier releases have none. */
  units?: Record<string, boolean>;
  apps: Record<string, boolean>;
};

/**
 * Restores changes of a draft with their base values, so that remote changes since then conflict.
 */
export const restoreChanges = (sheet: Sheet, { cells, units = {}, apps }: Found): Sheet => {
  const restored: Sheet = {
    ...sheet,
    cells: new Map([...sheet.cells, ...Object.entries(cells)]),
    units: new Map([...sheet.units, ...Object.entries(units)]),
    apps: new Map([...sheet.apps, ...Object.entries(apps)]),
  };
  return applyRemote(restored, sheet.matrix);
};
