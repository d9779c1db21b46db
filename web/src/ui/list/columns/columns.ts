import type { ColumnChoice } from "@purser/contract/workspace/preferences";
import type { ReactNode } from "react";
import { prefer, usePreferences } from "#lib/session/preferences.ts";
import { attempt } from "#ui/popups/toast.ts";

type Shown<Row> = {
  cell: (row: Row) => ReactNode;
  /** Of the first column: what stands beside the row's link, and is no part of it. */
  beside?: (row: Row) => ReactNode;
  /** The list's field that it sorts by. */
  sort?: string;
  align?: "end";
  /** In CSS pixels. */
  width: number;
  /** It takes what the others leave; without one, the first does. */
  grows?: true;
  /** Shown only when somebody asks for it. */
  spare?: boolean;
  /** Leaves below 1280 (3) or 1024 (2) pixels. */
  priority?: 2 | 3;
  /** Where it stands when a row is a card. */
  card?: "status" | "field";
};

/**
 * A column of a list, as its screen declares it. The first one is the row's own name. The column of a field is
 * called as the field, unless it has a label of its own.
 */
export type Column<Row, F = object> = Shown<Row> &
  ({ id: string; label: string } | { id: keyof F & string; label?: never });

/** A column with its label, wherever that came from. */
export type LabelledColumn<Row> = Shown<Row> & { id: string; label: string };

export type ChosenColumn<Row> = LabelledColumn<Row> & {
  hidden: boolean;
  pin?: "left" | "right" | undefined;
  /** Somebody set the width. */
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

/** The columns in this person's order; those that are newer than the choice stand at its end. */
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
  /** The columns that the address names; they come before the person's own. */
  asked: string | undefined;
  /** Takes them out of the address, once the person chooses otherwise. */
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
    return attempt(() => prefer({ columns: { [list]: next } }));
  };
  return {
    chosen,
    change: (id: string, changes: Partial<ChosenColumn<Row>>) =>
      keep(chosen.map((column) => choiceOf(column.id === id ? { ...column, ...changes } : column))),
    move: (id: string, by: -1 | 1) => {
      const from = chosen.findIndex((column) => column.id === id);
      const moved = chosen[from];
      if (!moved) return;
      // The first place belongs to the row's name.
      const next = chosen.toSpliced(from, 1).toSpliced(Math.max(1, from + by), 0, moved);
      void keep(next.map(choiceOf));
    },
    reset: () => keep([]),
  };
};
export type ColumnState<Row> = ReturnType<typeof useColumns<Row>>;
