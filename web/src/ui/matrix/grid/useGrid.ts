import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Sheet, Wanted } from "../sheet/cells.ts";
import type { Column } from "../sheet/columns.ts";
import type { Row } from "../sheet/rows.ts";
import {
  type Ground,
  groundOf,
  type Place,
  type Range,
  rangeOf,
  type Selection,
  shownPlace,
} from "./selection.ts";
import { bringIntoView, pageOf } from "./useVirtualRows.ts";

export type GridProps = {
  label: string;
  sheet: Sheet;
  rows: readonly Row[];
  columns: readonly Column[];
  mayEdit: boolean;
  /** How many cells of each app were changed. */
  changed: ReadonlyMap<string, number>;
  /** The cell to go to, by its feature, until it is told that the focus went there. */
  jump: string | null;
  onJumped: () => void;
  hrefOf: (app: string) => string;
  onOpen: (app: string) => void;
  onFold: (app: string) => void;
  onAct: (wanted: Wanted) => void;
  /** Says what came of many cells at once. */
  onTold: (sentence: string) => void;
};

type Editing = { key: string; typed: string };

/** Everything that the keys, the pointer and the clipboard need to know of a grid. */
export type Grid = {
  props: GridProps;
  ground: Ground;
  draftCol: number;
  focus: Place | null;
  range: Range | null;
  editing: Editing | null;
  /** Moves the focus there; with `extend`, the selection begins where it began. */
  go: (place: Place, extend?: boolean) => void;
  edit: (editing: Editing | null) => void;
  /** Gives the focus back to the cell. */
  refocus: () => void;
};

type Elements = {
  area: RefObject<HTMLDivElement | null>;
  table: RefObject<HTMLTableElement | null>;
};

/** The focus follows the one place that Tab reaches, once that is drawn. */
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
    bringIntoView(area, place, [offsets[index], offsets[index + 1]]);
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
    () => groundOf(rows, { cols, stops: mayEdit ? 2 : 1, page: 1 }),
    [rows, cols, mayEdit],
  );
  const appOf = (feature: string) => sheet.spots.get(feature)?.app.id;
  const focus = shownPlace(ground, selection?.focus ?? null, appOf, draftCol);
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
    ground: { ...ground, page: pageOf(elements.area.current) },
    draftCol,
    focus,
    range: focus && anchor ? rangeOf(ground, { focus, anchor }) : null,
    editing,
    go,
    edit: setEditing,
    refocus: follow,
  };
};
