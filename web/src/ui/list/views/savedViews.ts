import type { Wire } from "@purser/contract/http/endpoint";
import type { Fields } from "@purser/contract/http/list";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import type { Preferences, SavedView } from "@purser/contract/workspace/preferences";
import { listSharedViews } from "@purser/contract/workspace/sharedViews";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { defaultViewsIn } from "#lib/session/preferences.ts";

export type SharedView = Wire<typeof listSharedViews>["reply"]["items"][number];

/** The shared views of all lists, sent with every page because the menu opens default views. */
export const sharedViewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: () => call(listSharedViews),
  staleTime: 60_000,
});

/** A view of a list: the user's own, or one of the team. */
export type ListView = SavedView & { shared?: SharedView };

type Looked = Pick<ListSearch, "q" | "f" | "sort"> & { cols?: string[] | undefined };

/** The part of the URL that a view saves: filters, order and columns. */
export const searchOf = ({ q, f, sort, cols }: Looked) => ({
  ...(q && { q }),
  ...(f.length > 0 && { f }),
  ...(sort && { sort }),
  ...(cols && { cols: cols.join(",") }),
});

const keyOf = (looked: Pick<ListSearch, "q" | "f" | "sort">) =>
  JSON.stringify([looked.q ?? "", [...looked.f].sort(), looked.sort ?? ""]);

/** A view without columns is shown with any. */
export const isShown = (view: Looked, search: ListSearch) =>
  keyOf(view) === keyOf(search) && (!view.cols || view.cols.join() === search.cols);

const fromShared = (shared: SharedView): ListView => ({
  name: shared.name,
  f: shared.f,
  ...(shared.q && { q: shared.q }),
  ...(shared.sort && { sort: shared.sort }),
  ...(shared.cols && { cols: shared.cols }),
  shared,
});

/** Those of the team, then the user's own. */
const viewsOf = (name: string, saved: Preferences["views"], shared: SharedView[]): ListView[] => [
  ...shared.filter(({ list }) => list === name).map(fromShared),
  ...(saved[name] ?? []),
];

export const useSharedViews = () => useQuery(sharedViewsQuery).data?.items ?? [];

export const useViewsOf = (name: string, { views }: Preferences) =>
  viewsOf(name, views, useSharedViews());

/** How the preferences name a view. */
export const referenceOf = ({ name, shared }: ListView) => shared?.id ?? name;

/** The view that the menu opens: the user's choice, or the one of the team. */
export const defaultViewOf = (
  name: string,
  preferences: Pick<Preferences, "views" | "defaultViews" | "testModeDefaultViews">,
  shared: SharedView[],
) => {
  const chosen = defaultViewsIn(preferences)[name];
  const views = viewsOf(name, preferences.views, shared);
  if (chosen === "") return undefined;
  // The chosen one may have been deleted.
  return (
    views.find((view) => referenceOf(view) === chosen) ??
    views.find((view) => view.shared?.isDefault)
  );
};

type Known = {
  fields: Fields;
  columns: readonly { id: string }[];
  operatorsOf: (kind: Fields[string]["kind"]) => object;
};

const isFilterKnown = (filter: string, { fields, operatorsOf }: Known) => {
  const [name = "", operator = "", ...value] = filter.split(":");
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field || !Object.hasOwn(operatorsOf(field.kind), operator)) return false;
  const { options } = "options" in field ? field : { options: null };
  return (
    options === null ||
    value
      .join(":")
      .split(",")
      .every((one) => options.includes(one))
  );
};

const isSortKnown = (key: string, fields: Fields) => {
  const name = key.replace(/^-/, "");
  return Object.hasOwn(fields, name) && fields[name]?.sort === true;
};

/** What is left of a view if the list no longer has some of its filters or columns. */
export const remainderOf = <View extends Looked>(view: View, known: Known) => {
  const f = view.f.filter((filter) => isFilterKnown(filter, known));
  const sorts = view.sort?.split(",") ?? [];
  const sort = sorts.filter((key) => isSortKnown(key, known.fields));
  const cols = view.cols?.filter((id) => known.columns.some((column) => column.id === id));
  const isWhole =
    f.length === view.f.length &&
    sort.length === sorts.length &&
    cols?.length === view.cols?.length;
  const left = {
    ...view,
    f,
    sort: sort.join(",") || undefined,
    cols: cols?.length ? cols : undefined,
  };
  return { left, isWhole };
};
