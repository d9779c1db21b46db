import type { Wire } from "@purser/contract/http/endpoint";
import { listJobs } from "@purser/contract/workspace/listJobs";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type ListJob = Wire<typeof listJobs>["reply"]["items"][number];

const whileRunningMs = 1000;

/** The jobs of a list that the user started. Read again every second while one is running. */
export const jobsQuery = (list: string) =>
  queryOptions({
    queryKey: ["listJobs", list],
    queryFn: async () => {
      const query = { list: list as ListJob["list"] };
      return (await call(listJobs, { query })).items;
    },
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status === "running") ? whileRunningMs : false,
  });

/** After a job was started or ended. */
export const jobsChanged = (list: string) =>
  queryClient.invalidateQueries({ queryKey: ["listJobs", list] });
