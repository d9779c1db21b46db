import { t } from "@lingui/core/macro";
import type { RefObject } from "react";
import { useShortcuts } from "#lib/shortcuts.ts";

type Options = {
  region: RefObject<HTMLElement | null>;
  onOpen: (id: string) => void;
  /** False if no request is open. */
  onEscape: () => boolean;
};

/** Keyboard navigation between requests, as in lists. */
export const useRequestKeys = ({ region, onOpen, onEscape }: Options) => {
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
  const onRow = (action: () => unknown) => () => (here() ? action() : false);
  /** Buttons and links handle Enter and Space themselves. */
  const open = () => {
    const row = here();
    const id = row?.dataset["row"];
    if (!id || document.activeElement !== row) return false;
    onOpen(id);
    return true;
  };
  const group = "lists" as const;
  useShortcuts([
    { keys: "j", does: t`Next row`, group, run: () => move(1) },
    { keys: "k", does: t`Previous row`, group, run: () => move(-1) },
    { keys: "arrowdown", does: t`Next row (in the table)`, group, run: onRow(() => move(1)) },
    { keys: "arrowup", does: t`Previous row (in the table)`, group, run: onRow(() => move(-1)) },
    { keys: "enter", does: t`Open row`, group, run: open },
    { keys: "space", does: t`Preview row`, group, run: open },
    { keys: "escape", does: t`Close preview or clear selection`, group, run: onEscape },
  ]);
};
