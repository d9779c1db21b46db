import { t } from "@lingui/core/macro";
import type { KeyboardEvent, PointerEvent, RefObject } from "react";
import type { ColumnState } from "../columns/columns.ts";
import { widthMax, widthMin, widthStep, widthWithin } from "../columns/widths.ts";

type Props = {
  column: { id: string; label: string; width: number };
  cell: RefObject<HTMLTableCellElement | null>;
  onResize: ColumnState<unknown>["change"];
};

/** The edge of a column, which is dragged or moved with the arrow keys. */
export const ColumnEdge = ({ column: { id, label, width }, cell, onResize }: Props) => {
  const shownWidth = () => cell.current?.offsetWidth ?? width;
  const keep = (wanted: number) => void onResize(id, { width: widthWithin(wanted), fixed: true });
  const reset = () => void onResize(id, { fixed: false });
  const drag = (start: PointerEvent<HTMLElement>) => {
    start.preventDefault();
    const handle = start.currentTarget;
    const from = shownWidth();
    const widthAt = ({ clientX }: { clientX: number }) =>
      widthWithin(from + clientX - start.clientX);
    const over = new AbortController();
    const listen = (
      name: "pointermove" | "pointerup" | "pointercancel",
      run: (event: globalThis.PointerEvent) => void,
    ) => handle.addEventListener(name, run, { signal: over.signal });
    handle.setPointerCapture(start.pointerId);
    listen("pointermove", (event) => {
      if (cell.current) cell.current.style.width = `${widthAt(event)}px`;
    });
    listen("pointercancel", () => over.abort());
    listen("pointerup", (event) => {
      over.abort();
      if (event.clientX !== start.clientX) keep(widthAt(event));
    });
  };
  const resizeByKey = (event: KeyboardEvent) => {
    const steps: Record<string, number | undefined> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) reset();
    else keep(shownWidth() + step * widthStep * (event.shiftKey ? 4 : 1));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be focused and moved.
    <span
      className="resize"
      role="separator"
      aria-orientation="vertical"
      aria-label={t`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={widthMin}
      aria-valuemax={widthMax}
      tabIndex={0}
      onPointerDown={drag}
      onDoubleClick={reset}
      onKeyDown={resizeByKey}
    />
  );
};
