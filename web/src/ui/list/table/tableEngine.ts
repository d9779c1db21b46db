import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type ReactTable,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type CSSProperties, useMemo } from "react";
import type { ChosenColumn } from "../columns/columns.ts";

const features = tableFeatures({
  rowSelectionFeature,
  columnVisibilityFeature,
  columnOrderingFeature,
  columnSizingFeature,
  columnPinningFeature,
});
type Features = typeof features;

export type Identified = { id: string };
export type Table<Row extends Identified> = ReactTable<Features, Row, unknown>;

const nothing: never[] = [];

/**
 * Table state: columns and selected rows. Components that show the selection subscribe to it
 * themselves.
 */
export const useDataTable = <Row extends Identified>(
  rows: Row[] | undefined,
  chosen: ChosenColumn<Row>[],
): Table<Row> => {
  const key = JSON.stringify(chosen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents the columns.
  const layout = useMemo(() => {
    const pinned = (side: string) => chosen.filter(({ pin }) => pin === side).map(({ id }) => id);
    const left = pinned("left");
    // The row's name stays first, before columns pinned left.
    const start =
      left.length > 0 ? [...new Set([...chosen.slice(0, 1).map(({ id }) => id), ...left])] : [];
    return {
      columns: chosen.map(({ id, width }) => ({ id, size: width })),
      columnVisibility: Object.fromEntries(chosen.map(({ id, hidden }) => [id, !hidden])),
      columnOrder: chosen.map(({ id }) => id),
      columnPinning: { start, end: pinned("right") },
    };
  }, [key]);
  return useTable(
    {
      features,
      columns: layout.columns,
      data: rows ?? nothing,
      getRowId: ({ id }) => id,
      enableRowRangeSelection: true,
      state: {
        columnVisibility: layout.columnVisibility,
        columnOrder: layout.columnOrder,
        columnPinning: layout.columnPinning,
      },
    },
    // Only layout state: selecting a row must not re-render all others.
    ({ columnVisibility, columnOrder, columnPinning }) => ({
      columnVisibility,
      columnOrder,
      columnPinning,
    }),
  ) as unknown as Table<Row>;
};

export type Shown<Row> = ChosenColumn<Row> & {
  /** The position of a pinned column. */
  stuck?: { side: "start" | "end"; at: number };
};

export const boxWidth = 44;
export const menuWidth = 48;

export const shownColumns = <Row extends Identified>(
  table: Table<Row>,
  chosen: ChosenColumn<Row>[],
): Shown<Row>[] =>
  table.getVisibleLeafColumns().flatMap((column) => {
    const own = chosen.find(({ id }) => id === column.id);
    if (!own) return [];
    const pinned = column.getIsPinned();
    if (!pinned) return [own];
    const at =
      pinned === "start" ? boxWidth + column.getStart("start") : menuWidth + column.getAfter("end");
    return [{ ...own, stuck: { side: pinned, at } }];
  });

export const stickTo = (stuck: { side: "start" | "end"; at: number } | undefined) =>
  stuck && {
    "data-stuck": stuck.side,
    style: { [stuck.side === "start" ? "left" : "right"]: stuck.at } as CSSProperties,
  };
