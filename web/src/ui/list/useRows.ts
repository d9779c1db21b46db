import type { Fields } from "@purser/contract/http/list";
import { queryOf, usualSize } from "@purser/contract/pages/listSearch";
import { keepPreviousData, replaceEqualDeep, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { CallError } from "#lib/api/call.ts";
import { shownPage } from "../record/shownPage.ts";
import type { ListDeclaration, Page, Total } from "./declaration.ts";
import type { ListState } from "./listSearch.ts";
import type { Identified } from "./table/tableEngine.ts";
import { useLiveRows } from "./table/useLiveRows.ts";

/** Goes to the last page if the requested one is beyond the end. */
const usePageWithinEnd = <Row>(
  { search, isCorrected, go }: ListState,
  page: Page<Row> | undefined,
) => {
  const last = Math.ceil((page?.total?.count ?? 0) / Number(search.size ?? usualSize));
  const isBeyondEnd = page?.items.length === 0 && last > 0 && Number(search.page) > last;
  useEffect(() => {
    if (isBeyondEnd) void go({ page: last > 1 ? String(last) : undefined }, true);
    else if (isCorrected) void go({}, true);
  });
};

/** Keeps the objects of unchanged rows, so that they aren't rendered again. */
const useSameRows = <Row extends Identified>() => {
  const known = useRef(new Map<string, Row>());
  return (page: Page<Row>): Page<Row> => {
    const items = page.items.map((row) => replaceEqualDeep(known.current.get(row.id), row));
    known.current = new Map(items.map((row) => [row.id, row]));
    return { ...page, items };
  };
};

/** The rows for the current URL and the state of fetching them. */
export const useRows = <Row extends Identified, F extends Fields>(
  list: ListDeclaration<Row, F>,
  state: ListState,
) => {
  const query = queryOf(state.search);
  const queryKey = [list.name, "list", query];
  const same = useSameRows<Row>();
  const { data, error, isPending, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => same(await list.read({ ...query, count: "capped" }, signal)),
    placeholderData: keepPreviousData,
  });
  const live = useLiveRows({ entity: list.name, queryKey, readOne: list.readOne });
  const isSettled = data !== undefined && !isPlaceholderData;
  // A failed refetch keeps the old rows, but an invalid URL shows its error.
  const [last, setLast] = useState<Page<Row>>();
  if (data && data !== last) setLast(data);
  const isMeant = !(error instanceof CallError && error.is("invalid"));
  const page = data ?? (error && isMeant ? last : undefined);
  usePageWithinEnd(state, isSettled ? data : undefined);
  useEffect(() => {
    if (isSettled) shownPage.current = { query, rows: data, read: list.read };
  });
  return {
    page,
    error,
    isSettled,
    isFetching,
    live,
    retry: () => void refetch(),
    /** The number of skeleton rows. */
    skeletons: isPending ? Number(query.size) : 0,
    byId: (id: string | null | undefined) => page?.items.find((row) => row.id === id),
    countAll: async () => {
      const { q, f } = state.search;
      const asked = { ...queryOf({ q, f }), size: "1", count: "exact" as const };
      return (await list.read(asked, AbortSignal.timeout(10_000))).total as Total;
    },
  };
};

export type Rows<Row extends Identified, F extends Fields> = ReturnType<typeof useRows<Row, F>>;
