import { t } from "@lingui/core/macro";
import type { RefObject } from "react";
import { useShortcuts } from "#lib/shortcuts.ts";

type Options = {
  region: RefObject<HTMLElement | null>;
  onToggle: (id: string) => void;
  onRevert: (id: string) => void;
};

/** Keyboard navigation between actions, as in lists. */
export const useHistoryKeys = ({ region, onToggle, onRevert }: Options) => {
  const rows = () => [...(region.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const here = () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-row]") ?? null;
    return row && region.current?.contains(row) ? row : null;
  };
  const move = (by: 1 | -1) => {
    const all = rows();
    const row = here();
    const next = row ? all[all.indexOf(row) + by] : all[0];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const onRow = (action: (id: string) => unknown) => () => {
    const id = here()?.dataset["row"];
    return id ? action(id) : false;
  };
  /** Buttons and links handle Enter themselves. */
  const onRowItself = (action: (id: string) => unknown) => () =>
    document.activeElement === here() ? onRow(action)() : false;
  const group = "lists" as const;
  useShortcuts([
    { keys: "j", does: t`Next row`, group, run: () => move(1) },
    { keys: "k", does: t`Previous row`, group, run: () => move(-1) },
    { keys: "arrowdown", does: t`Next row (in the table)`, group, run: onRow(() => move(1)) },
    { keys: "arrowup", does: t`Previous row (in the table)`, group, run: onRow(() => move(-1)) },
    { keys: "enter", does: t`Show or hide changes`, group, run: onRowItself(onToggle) },
    { keys: "r", does: t`Revert`, group, run: onRow(onRevert) },
  ]);
};
