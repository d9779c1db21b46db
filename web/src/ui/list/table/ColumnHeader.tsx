import { Suspense, useRef } from "react";
import { number } from "#lib/intl.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { ColumnState } from "../columns/columns.ts";
import { type ListState, sortAfter, sortsOf } from "../listSearch.ts";
import { type Shown, stickTo } from "./tableEngine.ts";

const ColumnEdge = part(async () => (await import("./ColumnEdge.tsx")).ColumnEdge);

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
  const { label, sort, align, priority, stuck } = column;
  const sorts = sortsOf(search.sort);
  const place = sorts.findIndex(({ field }) => field === sort);
  const sorted = sorts[place];
  const cell = useRef<HTMLTableCellElement>(null);

  return (
    <th
      scope="col"
      ref={cell}
      data-align={align}
      data-priority={priority}
      // Without the name of the edge, which is inside.
      aria-label={label}
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
      <Suspense>
        <ColumnEdge column={column} cell={cell} onResize={onResize} />
      </Suspense>
    </th>
  );
};
