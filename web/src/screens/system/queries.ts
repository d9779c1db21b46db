import type { Wire } from "@purser/contract/http/endpoint";
import { listProviders } from "@purser/contract/transactions/providers";
import { listFailedJobs } from "@purser/contract/workspace/jobs";
import { getStorageGrowth, getSystem } from "@purser/contract/workspace/system";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type System = Wire<typeof getSystem>["reply"];
export type Queue = System["queues"][number];
export type Instance = NonNullable<System["instances"]>[number];
export type Failures = Wire<typeof listFailedJobs>["reply"];
export type FailedJob = Failures["items"][number];
export type Provider = Wire<typeof listProviders>["reply"]["items"][number];
export type Growth = Wire<typeof getStorageGrowth>["reply"];

// Nothing announces the state of processes and queues. A hidden page doesn't ask.
export const againMs = 10_000;

export const systemQuery = queryOptions({
  queryKey: ["system", "state"],
  queryFn: () => call(getSystem),
  refetchInterval: againMs,
});

export const failuresQuery = queryOptions({
  queryKey: ["system", "failures"],
  queryFn: () => call(listFailedJobs),
  refetchInterval: againMs,
});

export const providersQuery = queryOptions({
  queryKey: ["system", "providers"],
  queryFn: async () => (await call(listProviders)).items,
  refetchInterval: againMs,
});

/** Measured once a day. */
export const growthQuery = queryOptions({
  queryKey: ["system", "growth"],
  queryFn: () => call(getStorageGrowth),
});

export const systemChanged = () => queryClient.invalidateQueries({ queryKey: ["system"] });
