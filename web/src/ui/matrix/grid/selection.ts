import { isFeatureRow, type Row } from "../sheet/rows.ts";

/** A focus position: row, column, and button within an app row. */
export type Place = { key: string; col: number; stop: number };
/** The focus, and where the selection started. */
export type Selection = { focus: Place; anchor: Place };

export type GridRows = {
  rows: readonly Row[];
  /** The index of each row. */
  indexOf: ReadonlyMap<string, number>;
  cols: number;
  /** Rows per page. */
  page: number;
  /** The number of buttons in an app row. */
  stops: number;
};

export const gridRowsOf = (
  rows: readonly Row[],
  sizes: Pick<GridRows, "cols" | "page" | "stops">,
): GridRows => ({
  ...sizes,
  rows,
  indexOf: new Map(rows.map(({ key }, place) => [key, place])),
});

const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));

type Press = { key: string; ctrl: boolean };

const steps: Record<string, number | undefined> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves within a row, through columns or through the buttons of an app row. */
const along = (ground: GridRows, place: Place, key: string, isFeature: boolean): Place => {
  const max = isFeature ? ground.cols - 1 : ground.stops;
  const at = isFeature ? place.col : place.stop;
  const to =
    key === "Home" ? 0 : key === "End" ? max : clamp(at + (key === "ArrowRight" ? 1 : -1), max);
  return isFeature ? { ...place, col: to } : { ...place, stop: to };
};

/** The position a key moves to, or null if it doesn't move. */
export const moveFocus = (ground: GridRows, place: Place, { key, ctrl }: Press): Place | null => {
  const { rows, cols, indexOf, page } = ground;
  const index = indexOf.get(place.key) ?? 0;
  const placeAt = (wanted: number, col = place.col): Place | null => {
    const row = rows[clamp(wanted, rows.length - 1)];
    return row ? { key: row.key, col, stop: 0 } : null;
  };
  if (key === "PageDown") return placeAt(index + page);
  if (key === "PageUp") return placeAt(index - page);
  if (ctrl && key === "Home") return placeAt(0, 0);
  if (ctrl && key === "End") return placeAt(rows.length - 1, cols - 1);
  const step = steps[key];
  if (step !== undefined)
    return ctrl ? placeAt(step < 0 ? 0 : rows.length - 1) : placeAt(index + step);
  if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) return null;
  return along(ground, place, key, isFeatureRow(rows[index]));
};

/** The next feature in the same column, skipping app rows. */
export const nextFeature = ({ rows, indexOf }: GridRows, place: Place, step: 1 | -1): Place => {
  let index = (indexOf.get(place.key) ?? 0) + step;
  while (rows[index] && !isFeatureRow(rows[index])) index += step;
  const row = rows[index];
  return row ? { ...place, key: row.key, stop: 0 } : place;
};

/** A visible position: its own, else its app's, else the first. */
export const visiblePlace = (
  { rows, indexOf }: GridRows,
  place: Place | null,
  appOfFeature: (feature: string) => string | undefined,
  col: number,
): Place | null => {
  if (place && indexOf.has(place.key)) return place;
  const app = place && appOfFeature(place.key);
  if (app && indexOf.has(app)) return { key: app, col: place.col, stop: 0 };
  const first = rows.find(isFeatureRow) ?? rows[0];
  return first ? { key: first.key, col, stop: 0 } : null;
};

export type Range = { top: number; bottom: number; left: number; right: number };

export const rangeOf = ({ indexOf }: GridRows, { focus, anchor }: Selection): Range => {
  const to = indexOf.get(focus.key) ?? 0;
  const from = indexOf.get(anchor.key) ?? to;
  return {
    top: Math.min(from, to),
    bottom: Math.max(from, to),
    left: Math.min(focus.col, anchor.col),
    right: Math.max(focus.col, anchor.col),
  };
};

export const isSingle = ({ top, bottom, left, right }: Range) => top === bottom && left === right;

export const featuresIn = ({ rows }: GridRows, { top, bottom }: Range) =>
  rows.slice(top, bottom + 1).filter(isFeatureRow);
