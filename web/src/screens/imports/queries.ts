import type { Wire } from "@purser/contract/http/endpoint";
import { listImportMappings } from "@purser/contract/workspace/importMappings";
import {
  getImport,
  type ImportKind,
  listImportRows,
  listImports,
} from "@purser/contract/workspace/imports";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type Import = Wire<typeof getImport>["reply"];
export type ImportRow = Wire<typeof listImportRows>["reply"]["items"][number];
export type RecentImport = Wire<typeof listImports>["reply"]["items"][number];

export const importsQuery = queryOptions({
  queryKey: ["imports", "recent"],
  queryFn: () => call(listImports),
});

const progressMs = 1000;
const working = new Set<Import["status"]>(["checking", "running", "undoing"]);

/** Whether a job works on it. */
const isWorking = ({ status }: Pick<Import, "status">) => working.has(status);

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ["imports", "one", id],
    queryFn: () => call(getImport, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? progressMs : false),
  });

export type Shown = "all" | "rejected";

/** The rows of one check. Another check has other rows. */
export const rowsQuery = ({ id, checked, mapping, decimalMark, dateOrder }: Import, show: Shown) =>
  infiniteQueryOptions({
    queryKey: ["imports", "rows", id, show, checked, mapping, decimalMark, dateOrder],
    queryFn: ({ pageParam }) =>
      call(listImportRows, { params: { id }, query: { show, after: String(pageParam) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });

/** Shows the reply of an action at once. */
export const importChanged = (changed: Import) => {
  queryClient.setQueryData(importQuery(changed.id).queryKey, changed);
  void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey });
};

export const mappingsQuery = (kind: ImportKind) =>
  queryOptions({
    queryKey: ["imports", "mappings", kind],
    queryFn: ({ signal }) => call(listImportMappings, { query: { kind }, signal }),
  });
export type SavedMapping = Wire<typeof listImportMappings>["reply"]["items"][number];
