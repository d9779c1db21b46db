import { testCheck } from "@purser/contract/entitlements/explanation";
import { listFeatures } from "@purser/contract/features/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { getAppIntegration } from "@purser/contract/integration/endpoints";
import { testableFeatures } from "@purser/contract/pages/routes";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
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
