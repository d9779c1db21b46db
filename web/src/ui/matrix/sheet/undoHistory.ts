import { applyStep, type Sheet, type Step, stepTo, type Wanted } from "./cells.ts";

/** A sheet with its undo and redo steps. */
export type SheetHistory = {
  sheet: Sheet;
  past: readonly Step[];
  future: readonly Step[];
};

const stepsMax = 500;

export const historyOf = (sheet: Sheet): SheetHistory => ({ sheet, past: [], future: [] });

/** Applies a change as one step and clears the redo steps. */
export const applyChange = (history: SheetHistory, wanted: Wanted): SheetHistory => {
  const step = stepTo(history.sheet, wanted);
  if (!step) return history;
  return {
    sheet: applyStep(history.sheet, step, "after"),
    past: [...history.past, step].slice(-stepsMax),
    future: [],
  };
};

export const undo = (history: SheetHistory): SheetHistory => {
  const step = history.past.at(-1);
  if (!step) return history;
  return {
    sheet: applyStep(history.sheet, step, "before"),
    past: history.past.slice(0, -1),
    future: [step, ...history.future],
  };
};

export const redo = (history: SheetHistory): SheetHistory => {
  const [step, ...future] = history.future;
  if (!step) return history;
  return {
    sheet: applyStep(history.sheet, step, "after"),
    past: [...history.past, step],
    future,
  };
};
