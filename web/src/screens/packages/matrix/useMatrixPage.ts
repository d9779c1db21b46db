import { t } from "@lingui/core/macro";
import { changeMatrix } from "@purser/contract/packages/matrix";
import { useEffect, useMemo, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useDraft } from "#ui/form/drafts/useDraft.ts";
import { useIdempotencyKey, useOnce, useUnsavedMark } from "#ui/form/useRecordForm.ts";
import {
  changesOf,
  invalidCells,
  isInvalid,
  type Matrix,
  type Sheet,
} from "#ui/matrix/sheet/cells.ts";
import { conflictsOf, type Side } from "#ui/matrix/sheet/mergeRemote.ts";
import { createSheetStore, useSheetStore } from "#ui/matrix/sheet/sheetStore.ts";
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
const useUnsavedCells = (id: string, store: ReturnType<typeof createSheetStore>, sheet: Sheet) => {
  const values = useMemo(() => unsavedCellsOf(sheet), [sheet]);
  const restore = async (kept: UnsavedCells) => {
    const unread = unreadIn(store.now().sheet, kept);
    store.pick(await Promise.all(unread.map(readAppById)));
    store.restoreChanges(kept);
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
  const [store] = useState(() => createSheetStore(matrix));
  const { sheet, past, future } = useSheetStore(store);
  useEffect(() => store.applyRemote(matrix), [store, matrix]);
  const [refusal, setRefusal] = useState<CallError | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { busy, once } = useOnce();
  const keyFor = useIdempotencyKey();
  const changes = changesOf(sheet);
  const { isUnsaved, markSaved } = useUnsavedMark(changes > 0);
  const kept = useUnsavedCells(id, store, sheet);

  /** Merges what others saved first; only cells that both changed are conflicts. */
  const meet = async (): Promise<boolean> => {
    store.applyRemote(await readMatrix(id, compared));
    if (conflictsOf(store.now().sheet).length === 0) return send();
    setAsking(true);
    return false;
  };
  const send = async (): Promise<boolean> => {
    const now = store.now().sheet;
    const change = store.change();
    const { draft: current } = now.matrix.package;
    if (!current) return false;
    try {
      const body = { draftId: current.id, ...change };
      const fresh = await call(changeMatrix, { params: { id }, body, key: keyFor(body) });
      await queryClient.cancelQueries({ queryKey: ["packages", "matrix", id] });
      store.applySaved(fresh, change);
      kept.forget();
      if (changesOf(store.now().sheet) === 0) markSaved();
      void queryClient.invalidateQueries({ queryKey: ["packages"] });
      const { number } = current;
      toast(t`Draft of version ${number} saved`);
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
      const now = store.now().sheet;
      if (changesOf(now) === 0) return true;
      const [wrong] = invalidCells(now);
      if (wrong) onWrong(wrong);
      else if (conflictsOf(now).length > 0) setAsking(true);
      else return send();
      return false;
    });

  return {
    store,
    sheet,
    draft,
    changes,
    wrong: invalidCells(sheet),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    busy,
    refusal,
    isUnsaved,
    kept,
    save,
    /** Cells that both users changed, until they are resolved. */
    clashes: isAsking ? conflictsOf(sheet).filter(({ mine }) => !isInvalid(mine)) : [],
    settle: async (sides: ReadonlyMap<string, Side>) => {
      store.resolveConflicts(sides);
      setAsking(false);
      return save();
    },
    keepEditing: () => setAsking(false),
  };
};
export type MatrixPage = ReturnType<typeof useMatrixPage>;
