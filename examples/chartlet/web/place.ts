import { useCallback, useEffect, useState } from "react";

const titles = { "/": "Charts", "/plans": "Plans", "/sign-in": "Sign in" };
export type Place = keyof typeof titles;

const placeOf = (path: string): Place => (Object.hasOwn(titles, path) ? (path as Place) : "/");

/** The place within the page, kept in the URL. */
export const usePlace = () => {
  const [place, setPlace] = useState(() => placeOf(location.pathname));
  useEffect(() => {
    const follow = () => setPlace(placeOf(location.pathname));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  useEffect(() => {
    document.title = `${titles[place]} · Chartlet`;
  }, [place]);
  const go = useCallback((next: Place) => {
    history.pushState(null, "", next);
    setPlace(next);
    scrollTo(0, 0);
  }, []);
  return { place, go };
};
export type Go = ReturnType<typeof usePlace>["go"];
