import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { StatusWord } from "../Status.tsx";

/** What a choice needs to know about a related record. */
export type Related = {
  id: string;
  name: string;
  code: string;
  icon?: string;
  status?: StatusWord;
};

/** A kind of record that filters and forms can select. */
export type Relation = {
  /** The entity, used as query key. */
  name: string;
  /** Distinguishes different subsets in the cache. */
  scope: string;
  /** What the search finds, if not names and codes. */
  hint?: string;
  /** Search results; without a search text the latest changed records. */
  find: (typed: string, signal: AbortSignal) => Promise<Related[]>;
  read: (id: string) => Promise<Related>;
};

export const foundQuery = ({ name, scope, find }: Relation, typed: string) =>
  queryOptions({
    queryKey: [name, "found", scope, typed],
    queryFn: ({ signal }) => find(typed, signal),
    placeholderData: keepPreviousData,
  });

export const relatedQuery = ({ name, read }: Relation, id: string) =>
  queryOptions({ queryKey: [name, "related", id], queryFn: () => read(id), enabled: id !== "" });
