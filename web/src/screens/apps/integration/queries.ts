import { testCheck } from "@purser/contract/entitlements/explanation";
import { listFeatures } from "@purser/contract/features/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import {
  type CheckedFeatureSort,
  getAppIntegration,
  listAppDenials,
  listCheckedFeatures,
} from "@purser/contract/integration/endpoints";
import { testableFeatures } from "@purser/contract/pages/routes";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import type { AppSearch } from "../tabs.ts";

export type Integration = Wire<typeof getAppIntegration>["reply"];

const againMs = 10_000;

type Shown = Pick<AppSearch, "period" | "key">;

/** Read again while the page is visible. */
export const integrationQuery = (id: string, { period, key }: Shown) =>
  queryOptions({
    queryKey: ["apps", "integration", id, period ?? "day", key ?? ""],
    queryFn: () =>
      call(getAppIntegration, {
        params: { id },
        query: { ...(period && { period }), ...(key !== undefined && { key }) },
      }),
    refetchInterval: againMs,
    placeholderData: keepPreviousData,
  });

export type CheckedFeature = Wire<typeof listCheckedFeatures>["reply"]["items"][number];

/** The features that the app checked, page by page. Adding them up takes longer than a figure, so it is done less often. */
export const checkedFeaturesQuery = (
  id: string,
  { period, key }: Shown,
  sort: CheckedFeatureSort,
) =>
  infiniteQueryOptions({
    queryKey: ["apps", "checkedFeatures", id, period ?? "day", key ?? "", sort],
    queryFn: ({ pageParam }) =>
      call(listCheckedFeatures, {
        params: { id },
        query: {
          ...(period && { period }),
          ...(key !== undefined && { key }),
          sort,
          after: String(pageParam),
        },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 6 * againMs,
    placeholderData: keepPreviousData,
  });

type Denied = Omit<Wire<typeof listAppDenials>["query"], "after">;

/** The customers who were denied a feature for one reason, page by page. */
export const appDenialsQuery = (id: string, denied: Denied) =>
  infiniteQueryOptions({
    queryKey: ["apps", "denials", id, denied],
    queryFn: ({ pageParam }) =>
      call(listAppDenials, {
        params: { id },
        query: { ...denied, ...(pageParam && { after: pageParam }) },
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

/** The features that a check can be tested with. */
export const testableQuery = (id: string) =>
  queryOptions({
    queryKey: ["features", "testable", id],
    queryFn: async ({ signal }) =>
      (await call(listFeatures, { query: testableFeatures(id), signal })).items,
  });

/** What the team member has run. The number tells two runs of the same check apart. */
export type Run = { n: number; user: string; feature: string; amount: string };

export const runQuery = (app: string, run: Run | null) =>
  queryOptions({
    queryKey: ["access", "tested", app, run],
    queryFn: () => {
      const { user = "", feature = "", amount = "1" } = run ?? {};
      return call(testCheck, { params: { id: user }, query: { app, feature, amount } });
    },
    enabled: run !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
