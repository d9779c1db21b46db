import { t } from "@lingui/core/macro";
import { memo, type ReactNode } from "react";
import { Icon } from "#ui/Icon.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { type Identified, type Shown, stickTo, type Table } from "./tableEngine.ts";

type Props<Row extends Identified> = {
  table: Table<Row>;
  row: ReturnType<Table<Row>["getRowModel"]>["rows"][number];
  columns: Shown<Row>[];
  /** Represents columns and density, for the memo comparison. */
  layout: string;
  link: string;
  label: string;
  isGone: boolean;
  isCurrent: boolean;
  menu: ReactNode;
  onMenu: (id: string | null) => void;
};

const Box = <Row extends Identified>({
  table,
  row,
  label,
}: Pick<Props<Row>, "table" | "row" | "label">) => (
  <table.Subscribe
    source={table.atoms.rowSelection}
    selector={(selection) => selection[row.id] === true}
  >
    {(isSelected) => (
      <input
        type="checkbox"
        className="box"
        aria-label={t`Select ${label}`}
        checked={isSelected}
        onChange={() => undefined}
        onClick={(event) =>
          // The rendered row object may be outdated.
          table.getRow(row.id).getToggleSelectedHandler()({
            target: { checked: event.currentTarget.checked },
            shiftKey: event.shiftKey,
            nativeEvent: event.nativeEvent,
            persist: () => undefined,
          })
        }
      />
    )}
  </table.Subscribe>
);

type MenuProps = Pick<Props<Identified>, "label" | "menu" | "onMenu">;

const RowMenu = ({ label, menu, onMenu }: MenuProps) => (
  <Popup
    kind="menu"
    label={t`Actions for ${label}`}
    opened={menu !== null}
    onClose={() => onMenu(null)}
    place="bottom-end"
    width={220}
    trigger={
      <button
        type="button"
        className="row-menu"
        data-row-menu
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        aria-label={t`Actions for ${label}`}
      >
        <Icon name="dots" />
      </button>
    }
  >
    {() => menu}
  </Popup>
);

const Row = <Row extends Identified>(props: Props<Row>) => {
  const { row, columns, link, label, isGone, isCurrent, menu, onMenu } = props;
  return (
    <tr
      data-row={row.id}
      tabIndex={-1}
      {...(isGone && { "data-gone": true })}
      {...(isCurrent && { "data-current": true })}
    >
      <td className="box-cell">
        <Box {...props} />
      </td>
      {columns.map((column, place) => {
        const { id, cell, beside, align, priority, card, stuck } = column;
        const shared = {
          "data-align": align,
          "data-priority": priority,
          "data-card": place === 0 ? "title" : (card ?? "none"),
          "data-label": column.label,
          ...stickTo(stuck),
        };
        return place === 0 ? (
          <th key={id} scope="row" {...shared}>
            {/* A plain link, because each router link would re-render on every URL change. */}
            <a href={link} data-row-link>
              {cell(row.original)}
            </a>
            {beside?.(row.original)}
          </th>
        ) : (
          <td key={id} {...shared}>
            {cell(row.original)}
          </td>
        );
      })}
      <td className="menu-cell">
        <RowMenu label={label} menu={menu} onMenu={onMenu} />
      </td>
    </tr>
  );
};

const sameRow = <R extends Identified>(before: Props<R>, after: Props<R>) =>
  before.row.original === after.row.original &&
  before.layout === after.layout &&
  before.isGone === after.isGone &&
  before.isCurrent === after.isCurrent &&
  before.menu === after.menu &&
  before.label === after.label;

/** Re-rendered only if its own props changed. */
export const TableRow = memo(Row, sameRow) as typeof Row;

/** A placeholder row in its final size. */
export const SkeletonRow = <R,>({ place, columns }: { place: number; columns: Shown<R>[] }) => (
  <tr>
    <td className="box-cell">
      <span className="skeleton" />
    </td>
    {columns.map(({ id, align, priority, card }, column) => (
      <td
        key={id}
        data-align={align}
        data-priority={priority}
        data-card={column === 0 ? "title" : (card ?? "none")}
      >
        <span
          className="skeleton"
          style={{ width: `${40 + ((place * 37 + column * 13) % 40)}%` }}
        />
      </td>
    ))}
    <td className="menu-cell" />
  </tr>
);
