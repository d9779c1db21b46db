import type { Wire } from "@purser/contract/http/endpoint";
import { getUsage } from "@purser/contract/usage/endpoints";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

export type Usage = Wire<typeof getUsage>["reply"];
export type UsedFeature = Usage["items"][number];

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ["users", "usage", id],
    queryFn: () => call(getUsage, { params: { id }, query: {} }),
  });
