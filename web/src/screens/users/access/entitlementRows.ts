import type { Explained } from "./queries.ts";

/** One line of the table. Rows of several features are rendered together. */
export type Part = {
  app: Explained["app"];
  /** The first part of an app has its name. */
  isFirst: boolean;
  items: readonly Explained[];
  /** The place of its first feature among all. */
  from: number;
};

const partSize = 20;

const estimated = { app: 45, feature: 42 };

/** How far from the window features are rendered, so that scrolling and the Tab key find the next ones. */
const margin = 800;

/** The features by app, in parts of a few rows. */
export const partsOf = (items: readonly Explained[]): Part[] => {
  let from = 0;
  return [...Map.groupBy(items, ({ app }) => app.id).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const starts = Array.from({ length: Math.ceil(own.length / partSize) }, (_, n) => n * partSize);
    return starts.map((start) => {
      const shown = own.slice(start, start + partSize);
      const part = { app: first.app, isFirst: start === 0, items: shown, from };
      from += shown.length;
      return part;
    });
  });
};

/** The measured height of a part, or an estimate until it was rendered. */
export const heightOf = ({ isFirst, items }: Part, measured: number | undefined) =>
  measured ?? items.length * estimated.feature + (isFirst ? estimated.app : 0);

/** The first and last part near the window, whose top and height are relative to the first part. */
export const partsInView = (
  heights: readonly number[],
  { top, height }: { top: number; height: number },
) => {
  let bottom = 0;
  let first = heights.length;
  let last = -1;
  for (const [place, own] of heights.entries()) {
    const start = bottom;
    bottom += own;
    if (bottom < top - margin || start > top + height + margin) continue;
    first = Math.min(first, place);
    last = place;
  }
  // Above or below the table, the nearest part keeps the width of its columns.
  if (last < 0) {
    const nearest = top < 0 ? 0 : heights.length - 1;
    return { first: nearest, last: nearest };
  }
  return { first, last };
};

/** Whether the customer can use a feature, or has an amount of it. */
export const hasAccess = ({ allowed, lines }: Explained) =>
  allowed || lines.some(({ isApplied }) => isApplied);
