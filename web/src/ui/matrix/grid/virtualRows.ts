/** Rows have fixed heights, so where each stands is known without drawing it. */
export const rowHeight = { app: 40, feature: 45 } as const;

/** Above so many rows only those near the view are drawn. */
export const drawnMax = 200;

const block = 10;
const overscan = 10;

/** Where each row begins, and after the last where it ends. */
export const offsetsOf = (rows: readonly { feature: unknown }[]) => {
  const offsets = [0];
  for (const { feature } of rows)
    offsets.push((offsets.at(-1) ?? 0) + (feature ? rowHeight.feature : rowHeight.app));
  return offsets;
};

/** The row at a height, by halving. */
const rowAt = (offsets: readonly number[], top: number) => {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= top) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
};

export type View = { from: number; to: number };

/** Which rows to draw, in whole blocks: most scrolling changes nothing. */
export const viewOf = (offsets: readonly number[], top: number, height: number): View => {
  const amount = offsets.length - 1;
  if (amount <= drawnMax) return { from: 0, to: amount };
  const first = rowAt(offsets, top);
  const last = rowAt(offsets, top + height);
  return {
    from: Math.max(0, Math.floor((first - overscan) / block) * block),
    to: Math.min(amount, Math.ceil((last + 1 + overscan) / block) * block),
  };
};

type Piece = { kind: "gap"; height: number } | { kind: "row"; index: number };

/** The rows of a view, and the row with the focus wherever it is, with gaps in place of all others. */
export const piecesOf = (offsets: readonly number[], { from, to }: View, focus: number) => {
  const amount = offsets.length - 1;
  const pieces: Piece[] = [];
  const gap = (start: number, end: number) => {
    const height = (offsets[end] ?? 0) - (offsets[start] ?? 0);
    if (height > 0) pieces.push({ kind: "gap", height });
  };
  const draw = (start: number, end: number) => {
    for (let index = start; index < end; index += 1) pieces.push({ kind: "row", index });
  };
  const isAbove = focus >= 0 && focus < from;
  const isBelow = focus >= to && focus < amount;
  if (isAbove) {
    gap(0, focus);
    draw(focus, focus + 1);
    gap(focus + 1, from);
  } else gap(0, from);
  draw(from, Math.min(to, amount));
  if (isBelow) {
    gap(to, focus);
    draw(focus, focus + 1);
    gap(focus + 1, amount);
  } else gap(to, amount);
  return pieces;
};
