import type { Wire } from "@purser/contract/http/endpoint";
import { getUsage } from "@purser/contract/usage/endpoints";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { type LastDays, lastDays } from "#lib/time/lastDays.ts";

export type Usage = Wire<typeof getUsage>["reply"];
export type UsedFeature = Usage["items"][number];

export const usageQuery = (id: string, days: LastDays) =>
  queryOptions({
    queryKey: ["users", "usage", id, days],
    queryFn: () => call(getUsage, { params: { id }, query: lastDays(days) }),
    placeholderData: keepPreviousData,
  });
