import { count } from "#lib/labels.ts";
import { toast } from "../popups/toast.ts";

export type LifecycleAction = "activate" | "archive" | "restore";
type Living = { id: string; version: number; name: string };
type Meant = Pick<Living, "id" | "version">;

type Ways<R extends Living> = {
  /** The entity's name: "app". */
  one: string;
  act: (act: LifecycleAction, record: R) => Promise<R>;
  applyToMany: (
    act: LifecycleAction,
    meant: Meant[],
  ) => Promise<{ done: R[]; refused: { name: string; detail: string }[] }>;
  onSaved: (record: R) => void;
  /** Several records changed. */
  onChanged: () => void;
};

const past = { activate: "activated", archive: "archived", restore: "restored" } as const;

/** Lifecycle actions with toast and, where possible, undo. */
export const lifecycleActions = <R extends Living>({ one, act, onSaved, ...ways }: Ways<R>) => {
  const restore = async (record: R) => {
    onSaved(await act("restore", record));
    toast(`${record.name} is active again.`);
  };
  const archive = async (record: R) => {
    const archived = await act("archive", record);
    onSaved(archived);
    toast(`${record.name} is archived.`, { label: "Undo", run: () => restore(archived) });
  };
  const activate = async (record: R) => {
    onSaved(await act("activate", record));
    toast(`${record.name} is active.`);
  };
  /** For many records. Those that fail stay unchanged and are named. */
  const applyToMany = async (what: LifecycleAction, records: Meant[]) => {
    const meant = records.map(({ id, version }) => ({ id, version }));
    const { done, refused } = await ways.applyToMany(what, meant);
    ways.onChanged();
    const [first] = refused;
    const told = first
      ? ` ${count(refused.length, one)} stayed: ${first.name || "one"}: ${first.detail}`
      : "";
    const undo =
      what === "archive" && done.length > 0
        ? { label: "Undo", run: () => applyToMany("restore", done) }
        : undefined;
    toast(`${count(done.length, one)} ${past[what]}.${told}`, undo);
  };
  return { restore, archive, activate, applyToMany };
};
