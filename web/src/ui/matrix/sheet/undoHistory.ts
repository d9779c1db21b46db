import { type Sheet, type Step, stepTo, takeStep, type Wanted } from "./cells.ts";

/** A sheet and the way back through what was done to it. */
export type Book = {
  sheet: Sheet;
  past: readonly Step[];
  future: readonly Step[];
};

const stepsMax = 500;

export const bookOf = (sheet: Sheet): Book => ({ sheet, past: [], future: [] });

/** Does something as one step. What was taken back before is gone then. */
export const act = (book: Book, wanted: Wanted): Book => {
  const step = stepTo(book.sheet, wanted);
  if (!step) return book;
  return {
    sheet: takeStep(book.sheet, step, "after"),
    past: [...book.past, step].slice(-stepsMax),
    future: [],
  };
};

export const undo = (book: Book): Book => {
  const step = book.past.at(-1);
  if (!step) return book;
  return {
    sheet: takeStep(book.sheet, step, "before"),
    past: book.past.slice(0, -1),
    future: [step, ...book.future],
  };
};

export const redo = (book: Book): Book => {
  const [step, ...future] = book.future;
  if (!step) return book;
  return {
    sheet: takeStep(book.sheet, step, "after"),
    past: [...book.past, step],
    future,
  };
};
