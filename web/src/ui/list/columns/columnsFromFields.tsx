import type { Field, Fields } from "@purser/contract/http/list";
import { Moment } from "#ui/Moment.tsx";
import type { FieldLabels } from "../filters/filterLabels.ts";
import type { Column, LabelledColumn } from "./columns.ts";

type Labels = FieldLabels<Fields>[string];

const cellOf = (value: unknown, { kind }: Field, { options = {} }: Labels) => {
  if (value === null || value === undefined || value === "") return "–";
  if (kind === "instant") return <Moment at={String(value)} />;
  return options[String(value)] ?? String(value);
};

type Declared<Row, F extends Fields> = {
  fields: F;
  fieldLabels: FieldLabels<F>;
  columns: Column<Row, F>[];
};

/** The columns declared by the screen, then plain columns for the remaining fields. */
export const columnsOf = <Row extends object, F extends Fields>(
  list: Declared<Row, F>,
): LabelledColumn<Row>[] => {
  const drawn = list.columns.map((column) => ({
    ...column,
    label: column.label ?? list.fieldLabels[column.id as keyof F].label,
  }));
  const plain = Object.entries<Field>(list.fields).flatMap(([id, field]) => {
    const labels = list.fieldLabels[id as keyof F];
    const { columnWidth: width, kind, sort } = field;
    if (width === undefined || drawn.some((column) => column.id === id)) return [];
    const column: LabelledColumn<Row> = {
      id,
      label: labels.label,
      width,
      spare: true,
      ...(sort && { sort: id }),
      ...(kind === "number" && { align: "end" }),
      cell: (row) => <span className="soft">{cellOf(row[id as keyof Row], field, labels)}</span>,
    };
    return [column];
  });
  return [...drawn, ...plain];
};
