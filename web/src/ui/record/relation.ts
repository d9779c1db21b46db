import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { StatusWord } from "../Status.tsx";

/** Another record, as far as it must be known to be chosen. */
export type Related = {
  id: string;
  name: string;
  code: string;
  icon?: string;
  status?: StatusWord;
};

/** Records that a filter or a form can choose among. */
export type Relation = {
  /** The entity, whose part of the cache holds them. */
  name: string;
  /** Which of them: those of another choice are found apart. */
  scope: string;
  one: string;
  /** Those that the words find; without words, those that changed last. */
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
