import type { IntegrationPeriod } from "@purser/contract/integration/endpoints";

/** The tabs of an app's page besides the first one, as in its URL. */
const appTabs = ["integration", "activity", "raw"] as const;
export type AppTab = (typeof appTabs)[number];

type Search = Record<string, string | string[] | undefined>;

/** The tab of an app's page, and the checks that it shows. */
export type AppSearch = {
  tab?: AppTab;
  period?: IntegrationPeriod;
  key?: string;
  sort?: string;
  /** Shows the denials with this reason, also of one feature. */
  reason?: string;
  feature?: string;
};

const periods: readonly IntegrationPeriod[] = ["hour", "day", "month"];

export const readAppSearch = (search: Search): AppSearch => {
  const tab = appTabs.find((one) => one === search["tab"]);
  if (tab !== "integration") return tab ? { tab } : {};
  const period = periods.find((one) => one === search["period"]);
  const shown: AppSearch = { tab, ...(period && { period }) };
  for (const name of ["key", "sort", "reason", "feature"] as const) {
    const value = search[name];
    if (typeof value === "string") shown[name] = value;
  }
  return shown;
};
