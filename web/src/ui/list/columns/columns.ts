import type { ColumnChoice } from "@purser/contract/workspace/preferences";
import type { ReactNode } from "react";
import { updatePreferences, usePreferences } from "#lib/session/preferences.ts";
import { attempt } from "#ui/popups/toast.ts";

type Shown<Row> = {
  cell: (row: Row) => ReactNode;
  /** First column only: content next to the row's link. */
  beside?: (row: Row) => ReactNode;
  /** The field it sorts by. */
  sort?: string;
  align?: "end";
  /** In CSS pixels. */
  width: number;
  /** Takes the remaining width. The first column does if none is marked. */
  grows?: true;
  /** Hidden by default. */
  spare?: boolean;
  /** Hidden below 1280 (3) or 1024 (2) pixels. */
  priority?: 2 | 3;
  /** Its place when rows are shown as cards. */
  card?: "status" | "field";
};

/**
 * A column as its screen declares it. The first one is the row's name. Columns of a field use the
 * field's label unless they have their own.
 */
export type Column<Row, F = object> = Shown<Row> &
  ({ id: string; label: string } | { id: keyof F & string; label?: never });

export type LabelledColumn<Row> = Shown<Row> & { id: string; label: string };

export type ChosenColumn<Row> = LabelledColumn<Row> & {
  hidden: boolean;
  pin?: "left" | "right" | undefined;
  /** The user set the width. */
  fixed: boolean;
};

const chosenFrom = <Row>(
  column: LabelledColumn<Row>,
  choice: ColumnChoice | undefined,
): ChosenColumn<Row> => ({
  ...column,
  width: choice?.width ?? column.width,
  fixed: choice?.width !== undefined,
  hidden: choice ? (choice.hidden ?? false) : (column.spare ?? false),
  pin: choice?.pin,
});

/** Columns in the user's order. Columns added since then come last. */
const chosenColumns = <Row>(
  columns: LabelledColumn<Row>[],
  choices: ColumnChoice[] | undefined,
  asked: string | undefined,
): ChosenColumn<Row>[] => {
  const order = asked ? asked.split(",") : (choices?.map(({ id }) => id) ?? []);
  const placeOf = ({ id }: LabelledColumn<Row>) => {
    const place = order.indexOf(id);
    return place < 0 ? order.length : place;
  };
  const [first, ...others] = columns;
  if (!first) return [];
  const sorted = [first, ...others.toSorted((a, b) => placeOf(a) - placeOf(b))];
  return sorted.map((column) => {
    const chosen = chosenFrom(
      column,
      choices?.find(({ id }) => id === column.id),
    );
    return asked ? { ...chosen, hidden: column !== first && !order.includes(column.id) } : chosen;
  });
};

const choiceOf = <Row>({ id, hidden, fixed, width, pin }: ChosenColumn<Row>): ColumnChoice => ({
  id,
  ...(hidden && { hidden }),
  ...(fixed && { width }),
  ...(pin && { pin }),
});

type Asked = {
  /** Columns from the URL, which override the user's choice. */
  asked: string | undefined;
  /** Removes them from the URL once the user changes the columns. */
  forget: () => void;
};

export const useColumns = <Row>(
  list: string,
  columns: LabelledColumn<Row>[],
  { asked, forget }: Asked,
) => {
  const choices = usePreferences().columns[list];
  const chosen = chosenColumns(columns, choices, asked);
  const keep = (next: ColumnChoice[]) => {
    if (asked) forget();
    return attempt(() => updatePreferences({ columns: { [list]: next } }));
  };
  return {
    chosen,
    change: (id: string, changes: Partial<ChosenColumn<Row>>) =>
      keep(chosen.map((column) => choiceOf(column.id === id ? { ...column, ...changes } : column))),
    move: (id: string, by: -1 | 1) => {
      const from = chosen.findIndex((column) => column.id === id);
      const moved = chosen[from];
      if (!moved) return;
      // The row's name always comes first.
      const next = chosen.toSpliced(from, 1).toSpliced(Math.max(1, from + by), 0, moved);
      void keep(next.map(choiceOf));
    },
    reset: () => keep([]),
  };
};
export type ColumnState<Row> = ReturnType<typeof useColumns<Row>>;
