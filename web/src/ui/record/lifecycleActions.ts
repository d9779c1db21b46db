import { t } from "@lingui/core/macro";
import { toast, undoAction } from "../popups/toast.ts";
import { type Skipped, withSkipped } from "./skipped.ts";

export type LifecycleAction = "activate" | "archive" | "restore";
type Living = { id: string; version: number; name: string };
type Meant = Pick<Living, "id" | "version">;

type Options<R extends Living> = {
  /** The toast for several records: "3 apps archived". */
  doneText: Record<LifecycleAction, (count: number) => string>;
  apply: (action: LifecycleAction, record: R) => Promise<R>;
  applyToMany: (
    action: LifecycleAction,
    meant: Meant[],
  ) => Promise<{ done: R[]; refused: Skipped[] }>;
  onSaved: (record: R) => void;
  /** Several records changed. */
  onChanged: () => void;
};

/** Lifecycle actions with toast and, where possible, undo. */
export const lifecycleActions = <R extends Living>(options: Options<R>) => {
  const { doneText, apply, onSaved } = options;
  const restore = async (record: R) => {
    const { name } = record;
    onSaved(await apply("restore", record));
    toast(t`${name} restored`);
  };
  const archive = async (record: R) => {
    const { name } = record;
    const archived = await apply("archive", record);
    onSaved(archived);
    toast(
      t`${name} archived`,
      undoAction(() => restore(archived)),
    );
  };
  const activate = async (record: R) => {
    const { name } = record;
    onSaved(await apply("activate", record));
    toast(t`${name} activated`);
  };
  /** For many records. Those that fail stay unchanged and are named. */
  const applyToMany = async (action: LifecycleAction, records: Meant[]) => {
    const meant = records.map(({ id, version }) => ({ id, version }));
    const { done, refused } = await options.applyToMany(action, meant);
    options.onChanged();
    const undo =
      action === "archive" && done.length > 0
        ? undoAction(() => applyToMany("restore", done))
        : undefined;
    toast(await withSkipped(doneText[action](done.length), refused), undo);
  };
  return { restore, archive, activate, applyToMany };
};
