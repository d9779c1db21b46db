import { type MouseEvent, useRef } from "react";
import { number } from "#lib/intl.ts";
import { Icon } from "#ui/Icon.tsx";
import type { ColumnState } from "../columns/columns.ts";
import { type ListState, sortAfter, sortsOf } from "../listSearch.ts";
import { type Shown, stickTo } from "./tableEngine.ts";

type Props<Row> = {
  column: Shown<Row>;
  grows: boolean;
  state: ListState;
  onResize: ColumnState<Row>["change"];
};

const ariaSort = { true: "descending", false: "ascending" } as const;

export const ColumnHeader = <Row,>({
  column,
  grows,
  state: { search, narrow },
  onResize,
}: Props<Row>) => {
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
          {sorted && sorts.length > 1 && <sup>{number(place + 1)}</sup>}
        </button>
      ) : (
        label
      )}
      {/* The column settings offer the same by keyboard. */}
      <span className="resize" aria-hidden="true" onMouseDown={resize} />
    </th>
  );
};
