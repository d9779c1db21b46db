import type { Wire } from "@purser/contract/http/endpoint";
import { listTaxRates } from "@purser/contract/money/taxRates";
import { getSettings } from "@purser/contract/workspace/settings";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

export type Settings = Wire<typeof getSettings>["reply"];

export type TaxRate = Wire<typeof listTaxRates>["reply"]["items"][number];

export const taxRatesQuery = queryOptions({
  queryKey: ["settings", "tax rates"],
  queryFn: async () => (await call(listTaxRates)).items,
});

export const settingsQuery = queryOptions({
  queryKey: ["settings", "all"],
  queryFn: () => call(getSettings),
});
