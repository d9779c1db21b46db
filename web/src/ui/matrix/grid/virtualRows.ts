/** Rows have fixed heights, so positions are known without rendering. */
export const rowHeight = { app: 40, feature: 45 } as const;

/** Above this number, only rows near the view are rendered. */
export const renderAllMax = 200;

const block = 10;
const overscan = 10;

/** The top of each row, and the bottom of the last. */
export const offsetsOf = (rows: readonly { feature: unknown }[]) => {
  const offsets = [0];
  for (const { feature } of rows)
    offsets.push((offsets.at(-1) ?? 0) + (feature ? rowHeight.feature : rowHeight.app));
  return offsets;
};

/** The row at an offset, by binary search. */
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

/** The rows to render, rounded to blocks so that most scrolling changes nothing. */
export const viewOf = (offsets: readonly number[], top: number, height: number): View => {
  const amount = offsets.length - 1;
  if (amount <= renderAllMax) return { from: 0, to: amount };
  const first = rowAt(offsets, top);
  const last = rowAt(offsets, top + height);
  return {
    from: Math.max(0, Math.floor((first - overscan) / block) * block),
    to: Math.min(amount, Math.ceil((last + 1 + overscan) / block) * block),
  };
};

type Piece = { kind: "gap"; height: number } | { kind: "row"; index: number };

/** The rows in view and the focused row, with gaps for all others. */
export const rowsAndGaps = (offsets: readonly number[], { from, to }: View, focus: number) => {
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
