import { useSyncExternalStore } from "react";
import { createListeners } from "#lib/listeners.ts";
import {
  changeOf,
  type Matrix,
  type MatrixApp,
  type MatrixChange,
  sheetOf,
  type Wanted,
  withAddedApps,
} from "./cells.ts";
import {
  applyRemote,
  applySaved,
  resolveConflicts,
  restoreChanges,
  type Side,
} from "./mergeRemote.ts";
import { applyChange, historyOf, redo, type SheetHistory, undo } from "./undoHistory.ts";

/**
 * Store of the edited sheet. Handlers read it directly, so they see changes before the next render.
 */
export const createSheetStore = (matrix: Matrix) => {
  const listeners = createListeners();
  let history = historyOf(sheetOf(matrix));
  const set = (next: SheetHistory) => {
    if (next === history) return;
    history = next;
    listeners.notify();
  };
  const onSheet = (change: (sheet: SheetHistory["sheet"]) => SheetHistory["sheet"]) =>
    set({ ...history, sheet: change(history.sheet) });
  return {
    now: () => history,
    subscribe: listeners.subscribe,
    apply: (wanted: Wanted) => set(applyChange(history, wanted)),
    undo: () => set(undo(history)),
    redo: () => set(redo(history)),
    /** Registers apps so that a step can add them. */
    pick: (apps: readonly MatrixApp[]) => onSheet((sheet) => withAddedApps(sheet, apps)),
    applyRemote: (fresh: Matrix) => onSheet((sheet) => applyRemote(sheet, fresh)),
    applySaved: (fresh: Matrix, sent: MatrixChange) =>
      onSheet((sheet) => applySaved(sheet, fresh, sent)),
    resolveConflicts: (sides: ReadonlyMap<string, Side>) =>
      onSheet((sheet) => resolveConflicts(sheet, sides)),
    restoreChanges: (found: Parameters<typeof restoreChanges>[1]) =>
      onSheet((sheet) => restoreChanges(sheet, found)),
    change: () => changeOf(history.sheet),
    /** Discards all changes as one step. */
    discard: () => {
      const { cells, units, apps, spots } = history.sheet;
      set(
        applyChange(history, {
          cells: [...cells.keys()].map((id) => [id, spots.get(id)?.feature.value ?? null]),
          units: [...units].map(([id, perUnit]) => [id, !perUnit]),
          apps: [...apps].map(([id, isIn]) => [id, !isIn]),
        }),
      );
    },
  };
};
export type SheetStore = ReturnType<typeof createSheetStore>;

export const useSheetStore = (store: SheetStore) =>
  useSyncExternalStore(store.subscribe, store.now);
