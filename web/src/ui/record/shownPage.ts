import type { ListQuery } from "@purser/contract/pages/listSearch";

type Rows = { items: { id: string }[]; next: string | null; previous: string | null };

/** The rows that a list showed last, with which its records know their neighbors. */
type ShownPage = {
  query: ListQuery;
  rows: Rows;
  read: (query: ListQuery, signal: AbortSignal) => Promise<Rows>;
};

export const shownPage: { current: ShownPage | null } = { current: null };
