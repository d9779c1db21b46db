import type { Value } from "@purser/contract/fields/values";
import { appsOf, isInvalid, type Sheet } from "#ui/matrix/sheet/cells.ts";

type Cells = Record<string, { now: Value | null; was: Value | null }>;

/** Unsaved changes as they are stored for the user's next visit. */
export type UnsavedCells = {
  cells: Cells;
  units: Record<string, boolean>;
  apps: Record<string, boolean>;
};

export const noUnsavedCells: UnsavedCells = { cells: {}, units: {}, apps: {} };

export const unsavedCellsOf = ({ cells, units, apps }: Sheet): UnsavedCells => ({
  cells: Object.fromEntries(
    [...cells].flatMap(([id, { now, was }]) => (isInvalid(now) ? [] : [[id, { now, was }]])),
  ),
  units: Object.fromEntries(units),
  apps: Object.fromEntries(apps),
});

/** Added apps whose features were not loaded yet. */
export const unreadIn = (sheet: Sheet, { apps }: UnsavedCells) => {
  const known = new Set(appsOf(sheet).map(({ id }) => id));
  return Object.entries(apps).flatMap(([id, isIn]) => (isIn && !known.has(id) ? [id] : []));
};
