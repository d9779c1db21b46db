import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Sheet, Wanted } from "../sheet/cells.ts";
import type { Column } from "../sheet/columns.ts";
import type { Row } from "../sheet/rows.ts";
import {
  type GridRows,
  gridRowsOf,
  type Place,
  type Range,
  rangeOf,
  type Selection,
  visiblePlace,
} from "./selection.ts";
import { rowsPerPage, scrollToCell } from "./useVirtualRows.ts";

export type GridProps = {
  label: string;
  sheet: Sheet;
  rows: readonly Row[];
  columns: readonly Column[];
  mayEdit: boolean;
  /** The number of changed cells per app. */
  changed: ReadonlyMap<string, number>;
  /** The feature whose cell should get the focus, until `onFocused` confirms it. */
  jump: string | null;
  onJumped: () => void;
  hrefOf: (app: string) => string;
  onOpen: (app: string) => void;
  onFold: (app: string) => void;
  onApply: (wanted: Wanted) => void;
  /** Announces the result of changing many cells. */
  onAnnounce: (sentence: string) => void;
};

type Editing = { key: string; typed: string };

/** State shared by keyboard, pointer and clipboard handlers. */
export type Grid = {
  props: GridProps;
  ground: GridRows;
  draftCol: number;
  focus: Place | null;
  range: Range | null;
  editing: Editing | null;
  /** Moves the focus. `extend` keeps the selection's anchor. */
  go: (place: Place, extend?: boolean) => void;
  edit: (editing: Editing | null) => void;
  /** Returns the focus to the cell. */
  refocus: () => void;
};

type Elements = {
  area: RefObject<HTMLDivElement | null>;
  table: RefObject<HTMLTableElement | null>;
};

/** Focuses the cell with tabindex 0 once it is rendered. */
const useFollow = (elements: Elements, offsets: readonly number[], index: number) => {
  const isWanted = useRef(false);
  const [, setAsked] = useState(0);
  useLayoutEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const { current: area } = elements.area;
    const place = elements.table.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (!area || !place) return;
    place.focus({ preventScroll: true });
    scrollToCell(area, place, [offsets[index], offsets[index + 1]]);
  });
  return () => {
    isWanted.current = true;
    setAsked((asked) => asked + 1);
  };
};

export const useGrid = (props: GridProps, elements: Elements, offsets: readonly number[]): Grid => {
  const { rows, columns, sheet, mayEdit } = props;
  const [selection, setSelection] = useState<Selection | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const draftCol = columns.findIndex(({ kind }) => kind === "draft");
  const cols = columns.length;
  const ground = useMemo(
    () => gridRowsOf(rows, { cols, stops: mayEdit ? 2 : 1, page: 1 }),
    [rows, cols, mayEdit],
  );
  const appOf = (feature: string) => sheet.spots.get(feature)?.app.id;
  const focus = visiblePlace(ground, selection?.focus ?? null, appOf, draftCol);
  const anchor = selection && ground.indexOf.has(selection.anchor.key) ? selection.anchor : focus;
  const follow = useFollow(elements, offsets, focus ? (ground.indexOf.get(focus.key) ?? 0) : 0);
  const go = (place: Place, extend = false) => {
    setSelection({ focus: place, anchor: extend && anchor ? anchor : place });
    follow();
  };
  useLayoutEffect(() => {
    if (props.jump === null) return;
    go({ key: props.jump, col: draftCol, stop: 0 });
    props.onJumped();
  });
  return {
    props,
    ground: { ...ground, page: rowsPerPage(elements.area.current) },
    draftCol,
    focus,
    range: focus && anchor ? rangeOf(ground, { focus, anchor }) : null,
    editing,
    go,
    edit: setEditing,
    refocus: follow,
  };
};
