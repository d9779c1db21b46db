import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";

/** The width of an element, which a drawing with text needs. */
export const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
};

const moves: Record<string, (place: number, last: number) => number> = {
  ArrowRight: (place, last) => Math.min(last, place + 1),
  ArrowLeft: (place) => Math.max(0, place - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** The reading point of a chart: arrow keys and the pointer move it. */
export const useReading = (count: number, onOpen?: (place: number) => void) => {
  const [place, setPlace] = useState<number | null>(null);
  const last = count - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setPlace(null);
    if (event.key === "Enter" && place !== null) onOpen?.(place);
    const move = moves[event.key];
    if (!move || count === 0) return;
    event.preventDefault();
    setPlace(place === null ? last : move(place, last));
  };
  const onPointerMove = (event: PointerEvent<SVGElement>, left: number, width: number) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    setPlace(Math.max(0, Math.min(last, Math.floor((x / Math.max(1, width)) * count))));
  };
  return {
    place: place !== null && place <= last ? place : null,
    onKeyDown,
    onPointerMove,
    onPointerLeave: () => setPlace(null),
    onFocus: () => setPlace(place ?? (count > 0 ? last : null)),
    onBlur: () => setPlace(null),
  };
};
