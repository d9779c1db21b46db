import type { Value } from "@purser/contract/fields/values";
import { appsOf, isInvalid, type Sheet } from "#ui/matrix/sheet/cells.ts";

type Cells = Record<string, { now: Value | null; was: Value | null }>;

/** Unsaved changes as they are stored for the user's next visit. */
export type UnsavedCells = { cells: Cells; apps: Record<string, boolean> };

export const noUnsavedCells: UnsavedCells = { cells: {}, apps: {} };

export const unsavedCellsOf = ({ cells, apps }: Sheet): UnsavedCells => ({
  cells: Object.fromEntries(
    [...cells].flatMap(([id, { now, was }]) => (isInvalid(now) ? [] : [[id, { now, was }]])),
  ),
  apps: Object.fromEntries(apps),
});

/** Added apps whose features were not loaded yet. */
export const unreadIn = (sheet: Sheet, { apps }: UnsavedCells) => {
  const known = new Set(appsOf(sheet).map(({ id }) => id));
  return Object.entries(apps).flatMap(([id, isIn]) => (isIn && !known.has(id) ? [id] : []));
};
