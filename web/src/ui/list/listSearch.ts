import {
  type Given,
  type ListSearch,
  places,
  readListSearch,
  unknownIn,
} from "@purser/contract/pages/listSearch";
import { useNavigate, useSearch } from "@tanstack/react-router";

export const isNarrowed = ({ q, f }: ListSearch) => Boolean(q) || f.length > 0;

/** Changed filters start at the first page. */
export const firstPage = { page: undefined, after: undefined, before: undefined, at: undefined };

export const useListSearch = () => {
  const given: Given = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = readListSearch(given);
  const go = (changes: Partial<ListSearch>, replace = false) =>
    navigate({
      to: ".",
      search: { ...search, ...changes } as Given,
      replace,
      resetScroll: false,
    });
  return {
    search,
    unknown: unknownIn(given),
    /** The URL has a page beyond the last numbered one, or a place that doesn't exist. */
    isCorrected: Object.keys(places).some(
      (name) => given[name] && given[name] !== search[name as "page"],
    ),
    go,
    /** Typing replaces the history entry, everything else adds one. */
    narrow: (changes: Partial<ListSearch>, replace = false) =>
      go({ ...changes, ...firstPage, preview: undefined }, replace),
  };
};
export type ListState = ReturnType<typeof useListSearch>;

/** Parses "name,-createdAt" into fields with direction. */
export const sortsOf = (sort: string | undefined) =>
  (sort ? sort.split(",") : []).map((key) =>
    key.startsWith("-")
      ? { field: key.slice(1), descending: true }
      : { field: key, descending: false },
  );

type Sorted = ReturnType<typeof sortsOf>[number];

/** Cycles through ascending, descending and unsorted. With Shift other sort fields are kept. */
export const sortAfter = (sort: string | undefined, field: string, beside: boolean) => {
  const sorts = sortsOf(sort);
  const now = sorts.find((one) => one.field === field);
  const next: Sorted[] = !now
    ? [{ field, descending: false }]
    : now.descending
      ? []
      : [{ field, descending: true }];
  const others = beside ? sorts.filter((one) => one.field !== field) : [];
  const all =
    beside && now && next[0]
      ? sorts.map((one) => (one === now ? next[0] : one))
      : [...others, ...next];
  return (
    all
      .filter((one) => one !== undefined)
      .map((one) => `${one.descending ? "-" : ""}${one.field}`)
      .join(",") || undefined
  );
};
