import { plural, t } from "@lingui/core/macro";
import { isCounted, refusalOfValue, unlimited } from "@purser/contract/fields/values";
import {
  type Content,
  contentOf,
  isIncluded,
  isPerUnit,
  type MatrixFeature,
  storedOf,
} from "../sheet/cells.ts";
import {
  clipboardText,
  fillWith,
  type Pasted,
  parseContent,
  pasteInto,
  writeTsv,
} from "../sheet/clipboard.ts";
import { type FeatureRow, isFeatureRow } from "../sheet/rows.ts";
import { featuresIn, isSingle } from "./selection.ts";
import type { Grid } from "./useGrid.ts";

const rowAt = ({ ground }: Grid, key: string) => ground.rows[ground.indexOf.get(key) ?? -1];

/** The feature of the focused cell, if it is editable. */
export const editableAt = (grid: Grid): FeatureRow | null => {
  const { focus, draftCol, props } = grid;
  if (!focus || focus.col !== draftCol || !props.mayEdit) return null;
  const row = rowAt(grid, focus.key);
  return isFeatureRow(row) ? row : null;
};

const setCell = ({ props }: Grid, feature: string, content: Content) =>
  props.onApply({ cells: [[feature, content]] });

/** The editable features of the selection. */
const chosen = (grid: Grid): FeatureRow[] => {
  const { range, ground, draftCol, props } = grid;
  if (!range || !props.mayEdit || draftCol < range.left || draftCol > range.right) return [];
  return featuresIn(ground, range);
};

export const toDefault = (grid: Grid) => {
  const rows = chosen(grid);
  grid.props.onApply({ cells: rows.map(({ feature }) => [feature.id, null]) });
  return rows.length > 0;
};

/** Turns multiplying by the quantity on or off, for all selected amounts like for the first one. */
export const togglePerUnit = (grid: Grid) => {
  const { sheet, onApply } = grid.props;
  const rows = chosen(grid).filter(({ key }) => typeof contentOf(sheet, key) === "number");
  const [first] = rows;
  if (!first) return false;
  const next = !isPerUnit(sheet, first.key);
  onApply({ units: rows.map(({ key }) => [key, next]) });
  return true;
};

/** Resets the selection to the stored values. */
export const resetToStored = (grid: Grid) => {
  const { sheet, onApply } = grid.props;
  const rows = chosen(grid);
  onApply({
    cells: rows.map(({ key }) => [key, storedOf(sheet, key)]),
    units: rows.map(({ key, feature }) => [key, feature.perUnit]),
  });
  return rows.length > 0;
};

export const toUnlimited = (grid: Grid) => {
  const rows = chosen(grid).filter(({ feature }) => isCounted(feature));
  grid.props.onApply({ cells: rows.map(({ feature }) => [feature.id, unlimited]) });
  return rows.length > 0;
};

export const toggleSwitch = (grid: Grid, feature: MatrixFeature) => {
  const content = contentOf(grid.props.sheet, feature.id);
  setCell(grid, feature.id, (content ?? feature.defaultValue) !== true);
};

/** The next option that starts with a letter. */
export const toOption = (grid: Grid, feature: MatrixFeature, letter: string) => {
  const { options } = feature;
  const content = contentOf(grid.props.sheet, feature.id);
  const at = options.findIndex(({ code }) => code === content);
  const after = [...options.slice(at + 1), ...options.slice(0, at + 1)];
  const found = after.find(({ name }) => name.toLowerCase().startsWith(letter.toLowerCase()));
  if (found) setCell(grid, feature.id, found.code);
  return found !== undefined;
};

/** Writes the editor's content to its cell. */
export const commit = (grid: Grid, typed: string) => {
  const row = grid.editing && rowAt(grid, grid.editing.key);
  grid.edit(null);
  if (isFeatureRow(row ?? undefined) && row?.feature)
    setCell(grid, row.key, parseContent(row.feature, typed));
};

export const beginEdit = (grid: Grid, { key }: FeatureRow, typed?: string) => {
  const content = contentOf(grid.props.sheet, key);
  grid.edit({ key, typed: typed ?? clipboardText(content) });
};

const announce = ({ props }: Grid, { set, rejected }: Pasted) => {
  const changed = plural(set.length, { one: "# cell set", other: "# cells set" });
  const skipped = plural(rejected, { other: "# skipped" });
  props.onAnnounce(rejected > 0 ? t`${changed}, ${skipped}` : changed);
};

const put = (grid: Grid, pasted: Pasted) => {
  grid.props.onApply({ cells: pasted.set });
  announce(grid, pasted);
};

/** Fills the selection with its first value. A single cell takes the one above. */
export const fillDown = (grid: Grid) => {
  const rows = chosen(grid);
  const { range, ground, props } = grid;
  const above = ground.rows.slice(0, range?.top ?? 0).findLast(isFeatureRow);
  const [first] = rows;
  const source = rows.length > 1 ? first : above;
  const targets = rows.length > 1 ? rows.slice(1) : rows;
  if (!source || targets.length === 0) return false;
  const filled = fillWith(contentOf(props.sheet, source.key), targets);
  props.onApply({ cells: filled.set });
  if (filled.rejected > 0) announce(grid, filled);
  return true;
};

/** The selection as spreadsheet text. */
export const copyText = (grid: Grid): string | null => {
  const { range, ground, props } = grid;
  if (!range) return null;
  const rows = featuresIn(ground, range);
  if (rows.length === 0) return null;
  const columns = props.columns.slice(range.left, range.right + 1);
  return writeTsv(
    rows.map(({ app, feature }) =>
      columns.map((column) => {
        if (column.kind === "feature") return `${app.code}.${feature.code}`;
        if (column.kind === "draft") return clipboardText(contentOf(props.sheet, feature.id));
        return clipboardText(feature.others[column.place] ?? null);
      }),
    ),
  );
};

export const pasteText = (grid: Grid, text: string) => {
  const { focus, range, ground, props } = grid;
  if (!focus || !range || !props.mayEdit || text === "") return false;
  const from = isSingle(range) ? (ground.indexOf.get(focus.key) ?? 0) : range.top;
  put(
    grid,
    pasteInto(text, {
      below: ground.rows.slice(from).filter(isFeatureRow),
      selected: chosen(grid),
      all: ground.rows.filter(isFeatureRow),
    }),
  );
  return true;
};

/** Runs a row's button, or toggles an app row. */
export const pressAction = (grid: Grid, key: string, name: string) => {
  const { props } = grid;
  const row = rowAt(grid, key);
  if (!row) return;
  if (!isFeatureRow(row)) {
    if (name === "fold") props.onFold(row.app.id);
    if (name === "in") props.onApply({ apps: [[row.app.id, !isIncluded(props.sheet, row.app)]] });
    return;
  }
  const actions: Record<string, (() => void) | undefined> = {
    edit: () => beginEdit(grid, row),
    toggle: () => toggleSwitch(grid, row.feature),
    revert: () => setCell(grid, key, storedOf(props.sheet, key)),
    default: () => setCell(grid, key, null),
    unlimited: () => setCell(grid, key, unlimited),
    perUnit: () => props.onApply({ units: [[key, !isPerUnit(props.sheet, key)]] }),
  };
  if (props.mayEdit) actions[name]?.();
};

/** Sets an option chosen from the list. Empty means the default. */
export const choose = (grid: Grid, key: string, code: string) => {
  const row = rowAt(grid, key);
  if (!isFeatureRow(row) || !grid.props.mayEdit) return;
  const isKnown = refusalOfValue(row.feature, code) === null;
  grid.edit(null);
  setCell(grid, key, isKnown ? code : null);
  grid.refocus();
};
