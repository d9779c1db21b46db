import type { ReactNode } from "react";
import { language } from "#lib/messages.ts";
import { Icon } from "../Icon.tsx";

/** The column in the URL, with "-" if the largest is first. Without one, rows stay in their order. */
export type Sorting = { sort: string | undefined; onSort: (sort: string | undefined) => void };

export type SortKeys<Row> = Record<string, (row: Row) => string | number>;

const collator = new Intl.Collator(language, { numeric: true });
const compare = (one: string | number, other: string | number) =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : collator.compare(String(one), String(other));

/** Rows of a report in the chosen order, and the heads of columns that choose it. */
export const sortTable = <Row,>(
  rows: readonly Row[],
  keys: SortKeys<Row>,
  { sort, onSort }: Sorting,
) => {
  const column = sort?.replace(/^-/, "");
  const keyOf = column === undefined ? undefined : keys[column];
  const direction = sort?.startsWith("-") ? -1 : 1;
  const sorted = keyOf
    ? rows.toSorted((one, other) => direction * compare(keyOf(one), keyOf(other)))
    : rows;
  const next = (name: string, isText: boolean) => {
    const first = isText ? name : `-${name}`;
    if (column !== name) return first;
    return sort === first ? (isText ? `-${name}` : name) : undefined;
  };
  const head = (name: string, label: ReactNode, align: "start" | "end" = "end") => {
    const isSorted = column === name;
    return (
      <th
        key={name}
        {...(align === "end" && { "data-align": "end" })}
        {...(isSorted && { "aria-sort": direction < 0 ? "descending" : "ascending" })}
      >
        <button
          type="button"
          className="report-sort"
          onClick={() => onSort(next(name, align === "start"))}
        >
          {label}
          {isSorted && <Icon name={direction < 0 ? "arrow-down" : "arrow-up"} size={12} />}
        </button>
      </th>
    );
  };
  return { sorted, head };
};
