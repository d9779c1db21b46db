import type { Wire } from "@purser/contract/http/endpoint";
import { getFeatureUsage } from "@purser/contract/usage/featureUsage";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { type LastDays, lastDays } from "#lib/time/lastDays.ts";

export type FeatureUsage = Wire<typeof getFeatureUsage>["reply"];

export const featureUsageQuery = (id: string, days: LastDays) =>
  queryOptions({
    queryKey: ["features", "usage", id, days],
    queryFn: () => call(getFeatureUsage, { params: { id }, query: lastDays(days) }),
    placeholderData: keepPreviousData,
  });
