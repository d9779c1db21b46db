import type { ListSearch } from "@purser/contract/pages/listSearch";
import type { SavedView } from "@purser/contract/workspace/preferences";

type Looked = Pick<ListSearch, "q" | "f" | "sort">;

/** The part of the URL that a view saves: filters and order. */
export const searchOf = ({ q, f, sort }: Looked) => ({
  ...(q && { q }),
  ...(f.length > 0 && { f }),
  ...(sort && { sort }),
});

const keyOf = (looked: Looked) =>
  JSON.stringify([looked.q ?? "", [...looked.f].sort(), looked.sort ?? ""]);

export const isShown = (view: SavedView, search: ListSearch) => keyOf(view) === keyOf(search);

/** Adds the view, or replaces the one with the same name. */
export const withView = (views: readonly SavedView[], view: SavedView) => {
  const isSame = ({ name }: SavedView) => name.toLowerCase() === view.name.toLowerCase();
  return views.some(isSame) ? views.map((one) => (isSame(one) ? view : one)) : [...views, view];
};
