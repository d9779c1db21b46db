import { t } from "@lingui/core/macro";
import type { RefObject } from "react";
import { type Shortcut, useShortcuts } from "#lib/shortcuts.ts";
import type { Identified, Table } from "./tableEngine.ts";

type Options<Row extends Identified> = {
  region: RefObject<HTMLElement | null>;
  table: Table<Row>;
  onOpen: (id: string) => void;
  onPreview: (id: string) => void;
  onMenu: (id: string) => void;
  /** Closes the preview, then clears the selection. False if there was neither. */
  onEscape: () => boolean;
};

const rowOf = (element: Element | null) => element?.closest<HTMLElement>("tr[data-row]") ?? null;

/** Keyboard navigation in a list. */
export const useRowKeys = <Row extends Identified>(options: Options<Row>) => {
  const { region, table, onOpen, onPreview, onMenu, onEscape } = options;
  const rows = () => [...(region.current?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])];
  const isInside = () => region.current?.contains(document.activeElement) ?? false;
  const here = () => (isInside() ? rowOf(document.activeElement) : null);

  const move = (by: 1 | -1) => {
    const all = rows();
    const row = here();
    const next = row ? all[all.indexOf(row) + by] : all[0];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
    return next;
  };
  const inside = (action: () => unknown) => () => (isInside() ? action() : false);
  const onRow = (action: (id: string) => unknown) => () => {
    const id = here()?.dataset["row"];
    return id ? action(id) : false;
  };
  const select = (row: HTMLElement | null | undefined, value?: boolean) => {
    const id = row?.dataset["row"];
    if (id) table.getRow(id).toggleSelected(value);
  };
  const extend = (by: 1 | -1) => () => {
    select(here(), true);
    select(move(by), true);
  };
  /** Buttons and links handle Enter and Space themselves. */
  const onRowItself = (action: (id: string) => unknown) => () =>
    document.activeElement === here() ? onRow(action)() : false;

  const group = "lists" as const;
  const shortcuts: Shortcut[] = [
    { keys: "j", does: t`Next row`, group, run: () => move(1) },
    { keys: "k", does: t`Previous row`, group, run: () => move(-1) },
    { keys: "arrowdown", does: t`Next row (in the table)`, group, run: inside(() => move(1)) },
    { keys: "arrowup", does: t`Previous row (in the table)`, group, run: inside(() => move(-1)) },
    { keys: "enter", does: t`Open row`, group, run: onRowItself(onOpen) },
    { keys: "space", does: t`Preview row`, group, run: onRowItself(onPreview) },
    { keys: "x", does: t`Select row`, group, run: onRow(() => select(here())) },
    { keys: "shift+arrowdown", does: t`Extend selection down`, group, run: inside(extend(1)) },
    { keys: "shift+arrowup", does: t`Extend selection up`, group, run: inside(extend(-1)) },
    {
      keys: "mod+a",
      does: t`Select all rows on the page`,
      group,
      run: inside(() => table.toggleAllRowsSelected(true)),
    },
    { keys: ".", does: t`Row actions`, group, run: onRow(onMenu) },
    { keys: "escape", does: t`Close preview or clear selection`, group, run: onEscape },
  ];
  useShortcuts(shortcuts);
};
