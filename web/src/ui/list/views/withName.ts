import type { ListView } from "./savedViews.ts";

/** Views of the team have names of their own, apart from those of the user. */
export const withName = (views: readonly ListView[], name: string, isShared: boolean) =>
  views.find(
    (one) =>
      one.name.toLowerCase() === name.toLowerCase() && (one.shared !== undefined) === isShared,
  );
