import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { rowHeight, type View, viewOf } from "./virtualRows.ts";

const headHeight = 44;
const unknownHeight = 900;

type Area = RefObject<HTMLDivElement | null>;

/** The rows to render for the current scroll position. */
export const useVirtualRows = (area: Area, offsets: readonly number[]) => {
  const [view, setView] = useState<View>(() => viewOf(offsets, 0, unknownHeight));
  const look = useEffectEvent(() => {
    const { scrollTop = 0, clientHeight = 0 } = area.current ?? {};
    const next = viewOf(offsets, scrollTop, clientHeight || unknownHeight);
    setView((now) => (now.from === next.from && now.to === next.to ? now : next));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the rows change.
  useLayoutEffect(() => look(), [offsets]);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const onScroll = () => look();
    element.addEventListener("scroll", onScroll, { passive: true });
    const resized = new ResizeObserver(onScroll);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      resized.disconnect();
    };
  }, [area]);
  return view;
};

/** Rows per page. */
export const rowsPerPage = (area: HTMLElement | null) =>
  Math.max(1, Math.floor(((area?.clientHeight ?? unknownHeight) - headHeight) / rowHeight.feature));

/** Scrolls just enough to show the cell below the header and beside the first column. */
export const scrollToCell = (
  area: HTMLElement,
  cell: HTMLElement,
  [top = 0, bottom = 0]: [number | undefined, number | undefined],
) => {
  const lowest = headHeight + bottom - area.clientHeight;
  if (top < area.scrollTop) area.scrollTop = top;
  else if (lowest > area.scrollTop) area.scrollTop = lowest;
  if (!cell.matches("td")) return;
  const fixed = area.querySelector<HTMLElement>("thead th")?.offsetWidth ?? 0;
  const farthest = cell.offsetLeft + cell.offsetWidth - area.clientWidth;
  if (cell.offsetLeft - fixed < area.scrollLeft) area.scrollLeft = cell.offsetLeft - fixed;
  else if (farthest > area.scrollLeft) area.scrollLeft = farthest;
};
