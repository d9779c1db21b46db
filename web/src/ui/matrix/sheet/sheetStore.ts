import { useSyncExternalStore } from "react";
import { createListeners } from "#lib/listeners.ts";
import {
  changeOf,
  type Matrix,
  type MatrixApp,
  type MatrixChange,
  sheetOf,
  type Wanted,
  withPicked,
} from "./cells.ts";
import { type Side, settle, takeFresh, takeSaved, takeUp } from "./mergeRemote.ts";
import { act, type Book, bookOf, redo, undo } from "./undoHistory.ts";

/** A sheet that is being worked on. It is read when it is needed, also before it was drawn. */
export const createBook = (matrix: Matrix) => {
  const listeners = createListeners();
  let book = bookOf(sheetOf(matrix));
  const turnTo = (next: Book) => {
    if (next === book) return;
    book = next;
    listeners.tell();
  };
  const onSheet = (change: (sheet: Book["sheet"]) => Book["sheet"]) =>
    turnTo({ ...book, sheet: change(book.sheet) });
  return {
    now: () => book,
    subscribe: listeners.subscribe,
    act: (wanted: Wanted) => turnTo(act(book, wanted)),
    undo: () => turnTo(undo(book)),
    redo: () => turnTo(redo(book)),
    /** Makes apps known, so that a step can put them in. */
    pick: (apps: readonly MatrixApp[]) => onSheet((sheet) => withPicked(sheet, apps)),
    takeFresh: (fresh: Matrix) => onSheet((sheet) => takeFresh(sheet, fresh)),
    takeSaved: (fresh: Matrix, sent: MatrixChange) =>
      onSheet((sheet) => takeSaved(sheet, fresh, sent)),
    settle: (sides: ReadonlyMap<string, Side>) => onSheet((sheet) => settle(sheet, sides)),
    takeUp: (found: Parameters<typeof takeUp>[1]) => onSheet((sheet) => takeUp(sheet, found)),
    change: () => changeOf(book.sheet),
    /** Back to what is stored, as one step. */
    discard: () => {
      const { cells, apps, spots } = book.sheet;
      turnTo(
        act(book, {
          cells: [...cells.keys()].map((id) => [id, spots.get(id)?.feature.value ?? null]),
          apps: [...apps].map(([id, isIn]) => [id, !isIn]),
        }),
      );
    },
  };
};
export type SheetBook = ReturnType<typeof createBook>;

export const useBook = (book: SheetBook) => useSyncExternalStore(book.subscribe, book.now);
