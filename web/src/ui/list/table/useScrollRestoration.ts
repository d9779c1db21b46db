import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

type Place = { row: string; top: number };

/** The last position in each list, by URL. */
const left = new Map<string, Place>();
let wentBack = false;
let isFollowing = false;

/** Restores scroll position and focus when the user navigates back to a list. */
export const useScrollRestoration = (region: RefObject<HTMLElement | null>, isShown: boolean) => {
  const router = useRouter();
  const href = useRef(router.state.location.href).current;
  const returned = useRef(false);

  // Subscribed for good: the user navigates back while another page is shown.
  useEffect(() => {
    if (isFollowing) return;
    isFollowing = true;
    router.history.subscribe(({ action }) => {
      wentBack = action.type === "BACK" || action.type === "FORWARD" || action.type === "GO";
    });
  }, [router]);

  useLayoutEffect(() => {
    const place = left.get(href);
    if (!isShown || returned.current) return;
    returned.current = true;
    const row = place && region.current?.querySelector<HTMLElement>(`tr[data-row="${place.row}"]`);
    if (!wentBack || !place || !row) return;
    region.current?.scrollTo({ top: place.top });
    row.focus({ preventScroll: true });
  }, [isShown, href, region]);

  return (row: string | undefined) => {
    if (row) left.set(router.state.location.href, { row, top: region.current?.scrollTop ?? 0 });
  };
};
