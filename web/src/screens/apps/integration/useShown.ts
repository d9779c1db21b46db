import { useNavigate, useSearch } from "@tanstack/react-router";
import type { AppSearch } from "../tabs.ts";

/** What the URL chooses of the tab, and a function that changes some of it. Empty values are left out. */
export const useShown = () => {
  const shown = useSearch({ from: "/apps/view/$id" });
  const navigate = useNavigate();
  const show = (change: { [Name in keyof AppSearch]?: string }) => {
    const next = Object.entries({ ...shown, ...change }).filter(([, value]) => value);
    void navigate({
      to: ".",
      replace: true,
      resetScroll: false,
      search: Object.fromEntries(next) as never,
    });
  };
  return { shown, show };
};
