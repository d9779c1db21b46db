import { changeMatrix } from "@purser/contract/packages/matrix";
import { useEffect, useMemo, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { client } from "#lib/api/queryClient.ts";
import { useDraft } from "#ui/form/drafts/useDraft.ts";
import { useKey, useOnce, useUnsaved } from "#ui/form/useRecordForm.ts";
import { changesOf, isWrong, type Matrix, type Sheet, wrongIn } from "#ui/matrix/sheet/cells.ts";
import { clashesOf, type Side } from "#ui/matrix/sheet/mergeRemote.ts";
import { createBook, useBook } from "#ui/matrix/sheet/sheetStore.ts";
import { attempt, toast } from "#ui/popups/toast.ts";
import { readAppById, readMatrix } from "./queries.ts";
import { noUnsavedCells, type UnsavedCells, unreadIn, unsavedCellsOf } from "./unsavedCells.ts";

/** Commits the text of an open cell editor first. */
const endEditing = () => {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && activeElement.matches("[data-editor]"))
    activeElement.blur();
};

type Options = {
  matrix: Matrix;
  /** The packages to compare with, from the URL. */
  compared: string | undefined;
  onWrong: (feature: string) => void;
};

const stored = { version: 1, values: noUnsavedCells };

/** Unsaved changes are stored like those of forms, and restored after a reload. */
const useUnsavedCells = (id: string, book: ReturnType<typeof createBook>, sheet: Sheet) => {
  const values = useMemo(() => unsavedCellsOf(sheet), [sheet]);
  const restore = async (kept: UnsavedCells) => {
    const unread = unreadIn(book.now().sheet, kept);
    book.pick(await Promise.all(unread.map(readAppById)));
    book.takeUp(kept);
  };
  return useDraft<UnsavedCells>(`packages-apps-${id}`, {
    stored,
    values,
    isDirty: changesOf(sheet) > 0,
    takeUp: ({ merged }) => void attempt(() => restore(merged)),
  });
};

/** The state of a package draft being edited, and saving it. */
export const useMatrixPage = ({ matrix, compared, onWrong }: Options) => {
  const { id, draft } = matrix.package;
  const [book] = useState(() => createBook(matrix));
  const { sheet, past, future } = useBook(book);
  useEffect(() => book.takeFresh(matrix), [book, matrix]);
  const [refusal, setRefusal] = useState<CallError | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { busy, once } = useOnce();
  const keyFor = useKey();
  const changes = changesOf(sheet);
  const { isUnsaved, markSaved } = useUnsaved(changes > 0);
  const kept = useUnsavedCells(id, book, sheet);

  /** Merges what others saved first; only cells that both changed are conflicts. */
  const meet = async (): Promise<boolean> => {
    book.takeFresh(await readMatrix(id, compared));
    if (clashesOf(book.now().sheet).length === 0) return send();
    setAsking(true);
    return false;
  };
  const send = async (): Promise<boolean> => {
    const now = book.now().sheet;
    const change = book.change();
    const { draft: current } = now.matrix.package;
    if (!current) return false;
    try {
      const body = { draftId: current.id, ...change };
      const fresh = await call(changeMatrix, { params: { id }, body, key: keyFor(body) });
      await client.cancelQueries({ queryKey: ["packages", "matrix", id] });
      book.takeSaved(fresh, change);
      kept.forget();
      if (changesOf(book.now().sheet) === 0) markSaved();
      void client.invalidateQueries({ queryKey: ["packages"] });
      toast(`The draft of version ${current.number} is saved.`);
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.is("cell_changed")) return meet();
      setRefusal(error);
      return false;
    }
  };
  const save = () =>
    once(async () => {
      endEditing();
      setRefusal(null);
      const now = book.now().sheet;
      if (changesOf(now) === 0) return true;
      const [wrong] = wrongIn(now);
      if (wrong) onWrong(wrong);
      else if (clashesOf(now).length > 0) setAsking(true);
      else return send();
      return false;
    });

  return {
    book,
    sheet,
    draft,
    changes,
    wrong: wrongIn(sheet),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    busy,
    refusal,
    isUnsaved,
    kept,
    save,
    /** Cells that both users changed, until they are resolved. */
    clashes: isAsking ? clashesOf(sheet).filter(({ mine }) => !isWrong(mine)) : [],
    settle: async (sides: ReadonlyMap<string, Side>) => {
      book.settle(sides);
      setAsking(false);
      return save();
    },
    keepEditing: () => setAsking(false),
  };
};
export type MatrixPage = ReturnType<typeof useMatrixPage>;
