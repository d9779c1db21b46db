import type { Wire } from "@purser/contract/http/endpoint";
import { listTaxRates } from "@purser/contract/money/taxRates";
import { listServiceAccounts } from "@purser/contract/users/serviceAccounts";
import { getSettings } from "@purser/contract/workspace/settings";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";

export type Settings = Wire<typeof getSettings>["reply"];

export type TaxRate = Wire<typeof listTaxRates>["reply"]["items"][number];

export const taxRatesQuery = queryOptions({
  queryKey: ["settings", "tax rates"],
  queryFn: async () => (await call(listTaxRates)).items,
});

export type ServiceAccount = Wire<typeof listServiceAccounts>["reply"]["items"][number];
export type ServiceKey = ServiceAccount["keys"][number];

export const serviceAccountsQuery = queryOptions({
  queryKey: ["service_accounts"],
  queryFn: async () => (await call(listServiceAccounts)).items,
});

export const settingsQuery = queryOptions({
  queryKey: ["settings", "all"],
  queryFn: () => call(getSettings),
});
