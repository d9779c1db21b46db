import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { heightOf, type Part, partsInView } from "./entitlementRows.ts";

const rowsOf = (table: HTMLTableElement, place: number) => [
  ...table.querySelectorAll<HTMLTableRowElement>(`tr[data-part="${place}"]`),
];

/** The parts of the table to render at the current scroll position, and the heights of the others. */
export const useRowsInView = (table: RefObject<HTMLTableElement | null>, parts: Part[]) => {
  const measured = useRef(new Map<string, number>());
  const keyOf = ({ app, from }: Part) => `${app.id} ${from}`;
  const heightAt = (part: Part) => heightOf(part, measured.current.get(keyOf(part)));
  const [view, setView] = useState(() => ({ first: 0, last: Math.min(1, parts.length - 1) }));
  const look = useEffectEvent(() => {
    const head = table.current?.tHead?.getBoundingClientRect();
    if (!head) return;
    const place = { top: -head.bottom, height: window.innerHeight };
    const next = partsInView(parts.map(heightAt), place);
    setView((now) => (now.first === next.first && now.last === next.last ? now : next));
  });
  useLayoutEffect(() => {
    for (const [place, part] of parts.entries()) {
      const rows = table.current ? rowsOf(table.current, place) : [];
      const [first, last] = [rows[0], rows.at(-1)];
      if (first && last) {
        const height = last.getBoundingClientRect().bottom - first.getBoundingClientRect().top;
        measured.current.set(keyOf(part), height);
      }
    }
    look();
  });
  useEffect(() => {
    const onMove = () => look();
    // Scroll events of any surrounding element arrive here, but only while they are captured.
    document.addEventListener("scroll", onMove, { passive: true, capture: true });
    window.addEventListener("resize", onMove);
    return () => {
      document.removeEventListener("scroll", onMove, { capture: true });
      window.removeEventListener("resize", onMove);
    };
  }, []);
  return { view, heightAt };
};
