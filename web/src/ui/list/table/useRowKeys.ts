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
  const inside = (act: () => unknown) => () => (isInside() ? act() : false);
  const onRow = (act: (id: string) => unknown) => () => {
    const id = here()?.dataset["row"];
    return id ? act(id) : false;
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
  const onRowItself = (act: (id: string) => unknown) => () =>
    document.activeElement === here() ? onRow(act)() : false;

  const group = "Lists" as const;
  const shortcuts: Shortcut[] = [
    { keys: "j", does: "Next row", group, run: () => move(1) },
    { keys: "k", does: "Previous row", group, run: () => move(-1) },
    { keys: "arrowdown", does: "Next row, in the table", group, run: inside(() => move(1)) },
    { keys: "arrowup", does: "Previous row, in the table", group, run: inside(() => move(-1)) },
    { keys: "enter", does: "Open the row", group, run: onRowItself(onOpen) },
    { keys: "space", does: "Preview the row", group, run: onRowItself(onPreview) },
    { keys: "x", does: "Select the row", group, run: onRow(() => select(here())) },
    { keys: "shift+arrowdown", does: "Select on, downwards", group, run: inside(extend(1)) },
    { keys: "shift+arrowup", does: "Select on, upwards", group, run: inside(extend(-1)) },
    {
      keys: "mod+a",
      does: "Select the page",
      group,
      run: inside(() => table.toggleAllRowsSelected(true)),
    },
    { keys: ".", does: "Actions for the row", group, run: onRow(onMenu) },
    { keys: "escape", does: "Close the preview, clear the selection", group, run: onEscape },
  ];
  useShortcuts(shortcuts);
};
