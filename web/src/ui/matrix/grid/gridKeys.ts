import { isCounted } from "@purser/contract/fields/values";
import type { KeyboardEvent } from "react";
import { type FeatureRow, isFeatureRow } from "../sheet/rows.ts";
import {
  beginEdit,
  commit,
  editableAt,
  fillDown,
  pressAction,
  resetToStored,
  toDefault,
  togglePerUnit,
  toggleSwitch,
  toOption,
  toUnlimited,
} from "./gridActions.ts";
import { moveFocus, nextFeature } from "./selection.ts";
import type { Grid } from "./useGrid.ts";

type Press = KeyboardEvent<HTMLTableElement>;

const hasCtrl = (event: Press) => event.ctrlKey || event.metaKey;

const endEdit = (grid: Grid, { key, shiftKey }: Press) => {
  const { focus, ground, draftCol } = grid;
  if (!focus) return;
  if (key === "Enter") grid.go(nextFeature(ground, focus, shiftKey ? -1 : 1));
  else if (key === "Tab")
    grid.go({
      ...focus,
      col: Math.max(0, Math.min(draftCol + (shiftKey ? -1 : 1), ground.cols - 1)),
    });
  else grid.refocus();
};

/** In an editor: Enter commits and moves down, Tab commits and moves on, Escape cancels. */
const inEditor = (grid: Grid, event: Press, editor: HTMLInputElement | HTMLSelectElement) => {
  if (!["Enter", "Tab", "Escape"].includes(event.key)) return false;
  const isTyped = editor instanceof HTMLInputElement;
  if (isTyped && event.key !== "Escape") commit(grid, editor.value);
  else grid.edit(null);
  endEdit(grid, event);
  return true;
};

const move = (grid: Grid, event: Press) => {
  const { ground, focus } = grid;
  const to = focus && moveFocus(ground, focus, { key: event.key, ctrl: hasCtrl(event) });
  if (!to) return false;
  grid.go(to, event.shiftKey);
  return true;
};

/** App rows expand and collapse like tree nodes; their buttons are pressed by Enter or Space. */
const onAppRow = (grid: Grid, { key, target }: Press) => {
  const { focus, ground } = grid;
  const row = focus && ground.rows[ground.indexOf.get(focus.key) ?? -1];
  if (!row || isFeatureRow(row) || !(target instanceof HTMLTableCellElement)) return false;
  const folds = key === "Enter" || key === " " || key === (row.isOpen ? "ArrowLeft" : "ArrowRight");
  if (folds) pressAction(grid, row.key, "fold");
  return folds;
};

const selectWhole = (grid: Grid, event: Press) => {
  if (event.key !== " ") return false;
  const { focus, ground, range } = grid;
  const [first, last] = [ground.rows[0], ground.rows.at(-1)];
  if (!focus || !range || !first || !last) return false;
  if (hasCtrl(event)) {
    grid.go({ ...focus, key: first.key });
    grid.go({ ...focus, key: last.key }, true);
    return true;
  }
  if (!event.shiftKey) return false;
  grid.go({ ...focus, col: ground.cols - 1 }, true);
  return true;
};

const openEditor = (grid: Grid, row: FeatureRow) => {
  if (row.feature.kind === "switch") toggleSwitch(grid, row.feature);
  else beginEdit(grid, row);
  return true;
};

/** A character key starts a number, selects an option, or is a shortcut for a value. */
const typeSign = (grid: Grid, row: FeatureRow, { key }: Press) => {
  const { feature } = row;
  if (feature.kind === "choice") return /^\p{L}$/u.test(key) && toOption(grid, feature, key);
  if (!isCounted(feature)) return false;
  if (key.toLowerCase() === "u") return toUnlimited(grid);
  if (key.toLowerCase() === "q") return togglePerUnit(grid);
  if (!/^\d$/.test(key)) return false;
  beginEdit(grid, row, key);
  return true;
};

const change = (grid: Grid, event: Press) => {
  const row = editableAt(grid);
  if (!row || event.altKey) return false;
  if (hasCtrl(event) && event.key === "Backspace") return resetToStored(grid);
  if (hasCtrl(event)) return event.key.toLowerCase() === "d" && fillDown(grid);
  if (event.key === "Delete" || event.key === "Backspace") return toDefault(grid);
  if (event.key === "Enter" || event.key === "F2") return openEditor(grid, row);
  if (event.key === " ") return row.feature.kind === "switch" && openEditor(grid, row);
  return typeSign(grid, row, event);
};

/** Whether the grid handled the key. */
export const pressKey = (grid: Grid, event: Press): boolean => {
  const { target } = event;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
    return inEditor(grid, event, target);
  return (
    onAppRow(grid, event) || selectWhole(grid, event) || move(grid, event) || change(grid, event)
  );
};
