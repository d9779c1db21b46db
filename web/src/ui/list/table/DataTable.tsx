import { useRouter } from "@tanstack/react-router";
import { type CSSProperties, type MouseEvent, type ReactNode, useRef } from "react";
import { pageAddress } from "#lib/page/runtime.ts";
import { usePreferences } from "#lib/session/preferences.ts";
import { Icon } from "#ui/Icon.tsx";
import type { ColumnState } from "../columns/columns.ts";
import { type ListState, sortAfter, sortsOf } from "../listSearch.ts";
import { SkeletonRow, TableRow } from "./TableRow.tsx";
import {
  boxWidth,
  type Identified,
  menuWidth,
  type Shown,
  shownColumns,
  stickTo,
  type Table,
} from "./tableEngine.ts";

type HeaderProps<Row> = {
  column: Shown<Row>;
  grows: boolean;
  state: ListState;
  onResize: ColumnState<Row>["change"];
};

const ariaSort = { true: "descending", false: "ascending" } as const;

const Header = <Row,>({ column, grows, state: { search, narrow }, onResize }: HeaderProps<Row>) => {
  const { id, label, sort, align, priority, stuck } = column;
  const sorts = sortsOf(search.sort);
  const place = sorts.findIndex(({ field }) => field === sort);
  const sorted = sorts[place];
  const cell = useRef<HTMLTableCellElement>(null);

  const resize = (start: MouseEvent) => {
    start.preventDefault();
    const from = cell.current?.offsetWidth ?? column.width;
    const widthAt = (x: number) =>
      Math.round(Math.min(800, Math.max(64, from + x - start.clientX)));
    const move = ({ clientX }: globalThis.MouseEvent) => {
      if (cell.current) cell.current.style.width = `${widthAt(clientX)}px`;
    };
    const end = ({ clientX }: globalThis.MouseEvent) => {
      removeEventListener("mousemove", move);
      void onResize(id, { width: widthAt(clientX), fixed: true });
    };
    addEventListener("mousemove", move);
    addEventListener("mouseup", end, { once: true });
  };

  return (
    <th
      scope="col"
      ref={cell}
      data-align={align}
      data-priority={priority}
      {...(sorted && { "aria-sort": ariaSort[`${sorted.descending}`] })}
      {...stickTo(stuck)}
      style={{ ...stickTo(stuck)?.style, ...(!grows && { width: column.width }) }}
    >
      {sort ? (
        <button
          type="button"
          className="sort"
          onClick={({ shiftKey }) => narrow({ sort: sortAfter(search.sort, sort, shiftKey) })}
        >
          {label}
          {sorted && <Icon name={sorted.descending ? "arrow-down" : "arrow-up"} size={13} />}
          {sorted && sorts.length > 1 && <sup>{place + 1}</sup>}
        </button>
      ) : (
        label
      )}
      {/* The same without a pointer is in the column chooser. */}
      <span className="resize" aria-hidden="true" onMouseDown={resize} />
    </th>
  );
};

const SelectPage = <Row extends Identified>({ table }: { table: Table<Row> }) => (
  <table.Subscribe source={table.atoms.rowSelection}>
    {(selection) => {
      const selected = Object.keys(selection).length;
      const all = table.getRowModel().rows.length;
      return (
        <input
          type="checkbox"
          className="box"
          aria-label="Select all on this page"
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
  /** What the table holds and how it is sorted, for whoever hears it. */
  caption: string;
  linkOf: (row: Row) => string;
  labelOf: (row: Row) => string;
  /** Rows that somebody deleted meanwhile. */
  gone: ReadonlySet<string>;
  /** The row whose menu is open, and that menu. */
  menu: { id: string; content: ReactNode } | undefined;
  current: string | undefined;
  onOpen: (id: string) => void;
  /** Somebody seems about to open the row: what it needs may be loaded already. */
  onIntent: (id: string) => void;
  onMenu: (id: string | null) => void;
  /** Not read yet: so many rows in their final size. */
  skeletons: number;
};

const intentMs = 50;

/** Tells a row's link that somebody stays on for a moment, by pointer or by focus. */
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
    /** Where another link in the row leads. */
    place: element.closest<HTMLElement>("[data-place]")?.dataset["place"],
  };
};

/** Another tab or window is meant: that is the browser's. */
const hasModifier = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  ctrlKey || metaKey || shiftKey || altKey;

/** What a click in a row does: its menu, its link, another link in it, or opening it. */
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
    // Whoever marks text to copy it does not want to leave.
    else if (!isControl && getSelection()?.isCollapsed) onOpen(id);
  };
};

export const DataTable = <Row extends Identified>(props: Props<Row>) => {
  const { table, columns, state, caption, current, skeletons } = props;
  const { density, language } = usePreferences();
  const shown = shownColumns(table, columns.chosen);
  const rows = table.getRowModel().rows;
  const growing = shown.find((column) => column.grows) ?? shown[0];
  const grows = (column: Shown<Row>) => column === growing && !column.fixed;
  const layout = JSON.stringify([shown, density, language]);
  const widthWithout = (left: (2 | 3)[]) =>
    shown
      .filter(({ priority }) => !priority || !left.includes(priority))
      .reduce((sum, { width }) => sum + width, boxWidth + menuWidth);
  // Columns leave as the page narrows, so the least width of the table does too.
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
            <Header
              key={column.id}
              column={column}
              grows={grows(column)}
              state={state}
              onResize={columns.change}
            />
          ))}
          <th scope="col" className="menu-cell">
            <span className="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a row opens it, by the list's shortcuts. */}
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
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
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
