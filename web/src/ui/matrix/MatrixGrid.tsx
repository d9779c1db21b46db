import "./matrix.css";
import "./cellEditors.css";
import {
  type ChangeEvent,
  type ClipboardEvent,
  type FocusEvent,
  type MouseEvent,
  useMemo,
  useRef,
} from "react";
import { choose, commit, copyText, pasteText, pressAction } from "./grid/gridActions.ts";
import { pressKey } from "./grid/gridKeys.ts";
import { isSingle } from "./grid/selection.ts";
import { type Grid, type GridProps, useGrid } from "./grid/useGrid.ts";
import { useVirtualRows } from "./grid/useVirtualRows.ts";
import { offsetsOf, rowsAndGaps } from "./grid/virtualRows.ts";
import { AppRow, FeatureRow } from "./MatrixRow.tsx";
import { contentOf, isIncluded, isPerUnit, type MatrixApp } from "./sheet/cells.ts";
import { isFeatureRow, type Row } from "./sheet/rows.ts";

const spotOf = (target: EventTarget) => {
  if (!(target instanceof Element)) return null;
  const key = target.closest<HTMLElement>("tr[data-key]")?.dataset["key"];
  const col = target.closest<HTMLElement>("[data-col]")?.dataset["col"];
  return key === undefined ? null : { key, col: Number(col ?? 0), stop: 0 };
};

const isField = (target: EventTarget) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

/** Pointer events of the grid. */
const pointerOf = (grid: Grid) => ({
  onMouseDown: (event: MouseEvent<HTMLTableElement>) => {
    const place = spotOf(event.target);
    if (!place || event.button !== 0 || isField(event.target)) return;
    const isAction = event.target instanceof Element && event.target.closest("a, button");
    if (!isAction) grid.go(place, event.shiftKey);
  },
  onMouseOver: (event: MouseEvent<HTMLTableElement>) => {
    const place = spotOf(event.target);
    const isDrag = event.buttons === 1 && place?.col === grid.draftCol && !grid.editing;
    if (place && isDrag && grid.focus?.col === place.col && grid.focus.key !== place.key)
      grid.go(place, true);
  },
  onClick: (event: MouseEvent<HTMLTableElement>) => {
    const place = spotOf(event.target);
    const action =
      event.target instanceof Element && event.target.closest<HTMLElement>("[data-action]");
    if (!place || !action || event.shiftKey) return;
    const name = action.dataset["action"] ?? "";
    if (name !== "open") return pressAction(grid, place.key, name);
    // Modified clicks open a new tab.
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    grid.props.onOpen(place.key);
  },
});

const clipboardOf = (grid: Grid) => ({
  onCopy: (event: ClipboardEvent<HTMLTableElement>) => {
    const isText = isField(event.target) || getSelection()?.isCollapsed === false;
    const text = isText ? null : copyText(grid);
    if (text === null) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  },
  onPaste: (event: ClipboardEvent<HTMLTableElement>) => {
    if (isField(event.target)) return;
    if (pasteText(grid, event.clipboardData.getData("text/plain"))) event.preventDefault();
  },
});

const fieldsOf = (grid: Grid) => ({
  onChange: ({ target }: ChangeEvent<HTMLTableElement>) => {
    const place = spotOf(target);
    if (place && target instanceof HTMLSelectElement) choose(grid, place.key, target.value);
  },
  onBlur: ({ target }: FocusEvent<HTMLTableElement>) => {
    if (!grid.editing) return;
    if (target instanceof HTMLInputElement) commit(grid, target.value);
    else if (target instanceof HTMLSelectElement) grid.edit(null);
  },
  onFocus: ({ target }: FocusEvent<HTMLTableElement>) => {
    // Focus may come from elsewhere, such as a screen reader; the keys continue from there.
    const place = target.matches("th, td") ? spotOf(target) : null;
    const { focus, draftCol } = grid;
    if (!place) return;
    // App rows have no columns, so the previous column is kept.
    const col = target.matches(".matrix-app > th") ? (focus?.col ?? draftCol) : place.col;
    if (place.key !== focus?.key || col !== focus.col) grid.go({ ...place, col });
  },
});

const Head = ({ columns }: Pick<GridProps, "columns">) => (
  <>
    <colgroup>
      {columns.map(({ id, kind }) => (
        <col key={id} data-kind={kind} />
      ))}
    </colgroup>
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ id, kind, name, note }, col) => (
          <th key={id} scope="col" data-kind={kind} aria-colindex={col + 1}>
            {name}
            {note && <small>{note}</small>}
          </th>
        ))}
      </tr>
    </thead>
  </>
);

const RowAt = ({ grid, index, row }: { grid: Grid; index: number; row: Row }) => {
  const { props, focus, range, editing, ground } = grid;
  const { sheet, columns, mayEdit } = props;
  const isHere = focus?.key === row.key;
  if (!isFeatureRow(row)) {
    const isPicked = (app: MatrixApp) => sheet.picked.some(({ id }) => id === app.id);
    return (
      <AppRow
        index={index}
        app={row.app}
        cols={ground.cols}
        focus={isHere ? focus.stop : -1}
        isIn={isIncluded(sheet, row.app)}
        isOpen={row.isOpen}
        changed={props.changed.get(row.app.id) ?? 0}
        isPicked={isPicked(row.app)}
        mayEdit={mayEdit}
        href={props.hrefOf(row.app.id)}
      />
    );
  }
  const isChosen =
    range !== null && !isSingle(range) && index >= range.top && index <= range.bottom;
  return (
    <FeatureRow
      index={index}
      app={row.app}
      feature={row.feature}
      columns={columns}
      content={contentOf(sheet, row.key)}
      perUnit={isPerUnit(sheet, row.key)}
      edit={sheet.cells.get(row.key)}
      focus={isHere ? focus.col : -1}
      from={isChosen ? range.left : -1}
      to={isChosen ? range.right : -1}
      typed={editing?.key === row.key ? editing.typed : null}
      mayEdit={mayEdit}
      hasSale={sheet.matrix.package.onSale !== null}
    />
  );
};

const Body = ({
  grid,
  offsets,
  view,
}: {
  grid: Grid;
  offsets: number[];
  view: ReturnType<typeof useVirtualRows>;
}) => {
  const { ground, focus } = grid;
  const at = focus ? (ground.indexOf.get(focus.key) ?? -1) : -1;
  const pieces = rowsAndGaps(offsets, view, at);
  return (
    <tbody>
      {pieces.map((piece, place) => {
        if (piece.kind === "gap")
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: gaps have no identity besides their position.
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it is empty.
            <tr key={`gap-${place}`} aria-hidden="true" className="matrix-gap">
              <td colSpan={ground.cols} style={{ height: piece.height }} />
            </tr>
          );
        const row = ground.rows[piece.index];
        return row && <RowAt key={row.key} grid={grid} index={piece.index} row={row} />;
      })}
    </tbody>
  );
};

/** The matrix of apps and feature values as a tree grid with spreadsheet editing. */
export const MatrixGrid = (props: GridProps) => {
  const { label, rows, columns, mayEdit } = props;
  const area = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const offsets = useMemo(() => offsetsOf(rows), [rows]);
  const view = useVirtualRows(area, offsets);
  const grid = useGrid(props, { area, table }, offsets);
  return (
    <div className="matrix-area" ref={area}>
      <table
        ref={table}
        className="matrix"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an editable table with expandable rows is a treegrid.
        role="treegrid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-readonly={!mayEdit}
        style={{ minWidth: 620 + (columns.length - 2) * 120 }}
        onKeyDown={(event) => pressKey(grid, event) && event.preventDefault()}
        {...pointerOf(grid)}
        {...clipboardOf(grid)}
        {...fieldsOf(grid)}
      >
        <Head columns={columns} />
        <Body grid={grid} offsets={offsets} view={view} />
      </table>
    </div>
  );
};
