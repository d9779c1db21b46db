import { count } from "#lib/labels.ts";
import { toast } from "../popups/toast.ts";

export type LifecycleAction = "activate" | "archive" | "restore";
type Living = { id: string; version: number; name: string };
type Meant = Pick<Living, "id" | "version">;

type Ways<R extends Living> = {
  /** The entity's word: "app". */
  one: string;
  act: (act: LifecycleAction, record: R) => Promise<R>;
  applyToMany: (
    act: LifecycleAction,
    meant: Meant[],
  ) => Promise<{ done: R[]; refused: { name: string; detail: string }[] }>;
  onSaved: (record: R) => void;
  /** More than one changed. */
  onChanged: () => void;
};

const past = { activate: "activated", archive: "archived", restore: "restored" } as const;

/** The acts of a record's life: done, told, and taken back where that is possible. */
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
  /** The same to many. Those that refuse stay as they are, and are named. */
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
