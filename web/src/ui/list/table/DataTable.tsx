import { t } from "@lingui/core/macro";
import type { Density } from "@purser/contract/workspace/preferences";
import { useRouter } from "@tanstack/react-router";
import { type CSSProperties, type MouseEvent, type ReactNode, useRef } from "react";
import { pageAddress } from "#lib/page/runtime.ts";
import { usePreferences } from "#lib/session/preferences.ts";
import type { ColumnState } from "../columns/columns.ts";
import type { ListState } from "../listSearch.ts";
import { ColumnHeader } from "./ColumnHeader.tsx";
import { SkeletonRow, TableRow } from "./TableRow.tsx";
import {
  boxWidth,
  type Identified,
  menuWidth,
  type Shown,
  shownColumns,
  type Table,
} from "./tableEngine.ts";

const SelectPage = <Row extends Identified>({ table }: { table: Table<Row> }) => (
  <table.Subscribe source={table.atoms.rowSelection}>
    {(selection) => {
      const selected = Object.keys(selection).length;
      const all = table.getRowModel().rows.length;
      return (
        <input
          type="checkbox"
          className="box"
          aria-label={t`Select all on this page`}
          checked={all > 0 && selected === all}
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && selected < all;
          }}
          onChange={({ currentTarget: { checked } }) => table.toggleAllRowsSelected(checked)}
        />
      );
    }}
  </table.Subscribe>
);

type Props<Row extends Identified> = {
  table: Table<Row>;
  columns: ColumnState<Row>;
  state: ListState;
  density: Density;
  /** Content and sort order, for screen readers. */
  caption: string;
  linkOf: (row: Row) => string;
  labelOf: (row: Row) => string;
  /** Rows deleted since they were loaded. */
  gone: ReadonlySet<string>;
  /** The row with the open menu, and the menu's content. */
  menu: { id: string; content: ReactNode } | undefined;
  current: string | undefined;
  onOpen: (id: string) => void;
  /** The user is likely to open the row, so its page can be preloaded. */
  onIntent: (id: string) => void;
  onMenu: (id: string | null) => void;
  /** Number of placeholder rows while loading. */
  skeletons: number;
};

const intentMs = 50;

/** Detects hover or focus on a row's link for a moment. */
const useIntent = (onIntent: (id: string) => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    begin: ({ target }: { target: EventTarget }) => {
      const { id, isLink } = callerOf(target);
      clearTimeout(timer.current);
      if (id && isLink) timer.current = setTimeout(onIntent, intentMs, id);
    },
    end: () => clearTimeout(timer.current),
  };
};

const callerOf = (target: EventTarget) => {
  const element = target as HTMLElement;
  return {
    id: element.closest<HTMLElement>("tr[data-row]")?.dataset["row"],
    isControl: element.closest("a, button, input, label, [role=menu]") !== null,
    isMenu: element.closest("[data-row-menu]") !== null,
    isLink: element.closest("[data-row-link]") !== null,
    /** The target of another link in the row. */
    place: element.closest<HTMLElement>("[data-place]")?.dataset["place"],
  };
};

/** A modifier means a new tab or window, which the browser handles. */
const hasModifier = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  ctrlKey || metaKey || shiftKey || altKey;

/** Handles clicks in a row: menu, row link, other links, or opening it. */
const useRowClicks = ({ onMenu, onOpen }: Pick<Props<Identified>, "onMenu" | "onOpen">) => {
  const router = useRouter();
  return (event: MouseEvent) => {
    const { id, isControl, isMenu, isLink, place } = callerOf(event.target);
    if (!id) return;
    if (isMenu) onMenu(id);
    else if (place && !hasModifier(event)) {
      event.preventDefault();
      void router.navigate({ href: place });
    } else if (isLink && !hasModifier(event)) {
      event.preventDefault();
      onOpen(id);
    }
    // Selecting text must not open the row.
    else if (!isControl && getSelection()?.isCollapsed) onOpen(id);
  };
};

export const DataTable = <Row extends Identified>(props: Props<Row>) => {
  const { table, columns, state, density, caption, current, skeletons } = props;
  const { language } = usePreferences();
  const shown = shownColumns(table, columns.chosen);
  const rows = table.getRowModel().rows;
  const growing = shown.find((column) => column.grows) ?? shown[0];
  const grows = (column: Shown<Row>) => column === growing && !column.fixed;
  const layout = JSON.stringify([shown, density, language]);
  const widthWithout = (left: (2 | 3)[]) =>
    shown
      .filter(({ priority }) => !priority || !left.includes(priority))
      .reduce((sum, { width }) => sum + width, boxWidth + menuWidth);
  // Columns disappear on narrow pages, so the minimum width shrinks too.
  const least = {
    "--least-wide": `${widthWithout([])}px`,
    "--least-medium": `${widthWithout([3])}px`,
    "--least-narrow": `${widthWithout([2, 3])}px`,
  } as CSSProperties;

  const intent = useIntent(props.onIntent);
  const onClick = useRowClicks(props);

  return (
    <table className="list-table" data-density={density} style={least}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" className="box-cell">
            <SelectPage table={table} />
          </th>
          {shown.map((column) => (
            <ColumnHeader
              key={column.id}
              column={column}
              grows={grows(column)}
              state={state}
              onResize={columns.change}
            />
          ))}
          <th scope="col" className="menu-cell">
            <span className="unseen">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a row opens it, see useRowKeys. */}
      <tbody
        onClick={onClick}
        onAuxClick={onAuxClick}
        onMouseOver={intent.begin}
        onFocus={intent.begin}
        onMouseLeave={intent.end}
        onBlur={intent.end}
      >
        {skeletons > 0
          ? Array.from({ length: skeletons }, (_, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows are identical.
              <SkeletonRow key={place} place={place} columns={shown} />
            ))
          : rows.map((row) => (
              <TableRow
                key={row.id}
                table={table}
                row={row}
                columns={shown}
                layout={layout}
                link={pageAddress(props.linkOf(row.original))}
                label={props.labelOf(row.original)}
                isGone={props.gone.has(row.id)}
                isCurrent={row.id === current}
                menu={props.menu?.id === row.id ? props.menu.content : null}
                onMenu={props.onMenu}
              />
            ))}
      </tbody>
    </table>
  );

  function onAuxClick(event: MouseEvent) {
    const { id, isControl } = callerOf(event.target);
    const row = rows.find((one) => one.id === id);
    if (event.button === 1 && row && !isControl)
      window.open(pageAddress(props.linkOf(row.original)));
  }
};
