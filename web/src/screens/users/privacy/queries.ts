import type { Wire } from "@purser/contract/http/endpoint";
import { listPersonalExports, previewErasure } from "@purser/contract/users/privacy";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

export type PersonalExport = Wire<typeof listPersonalExports>["reply"]["items"][number];

// Changes made by workers are not announced, so they are polled.
const againMs = 1500;

/** Polled while an export is being written. */
export const exportsQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", "exports", id],
    queryFn: async () => (await call(listPersonalExports, { params: { id } })).items,
    refetchInterval: ({ state }) =>
      state.data?.some(({ readyAt }) => readyAt === null) ? againMs : false,
  });

export const erasureQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", "erasure", id],
    queryFn: () => call(previewErasure, { params: { id } }),
    gcTime: 0,
  });
