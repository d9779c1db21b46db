import { currencies } from "@purser/contract/fields/amounts";
import { getCompany } from "@purser/contract/workspace/settings";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";

const companyQuery = queryOptions({
  queryKey: ["settings", "company"],
  queryFn: () => call(getCompany),
});

const none: readonly string[] = [];

/** The currencies of the company in its settings. None if it uses all, and until they are loaded. */
export const useCompanyCurrencies = (): readonly string[] =>
  useQuery(companyQuery).data?.currencies ?? none;

/** The currencies allowed for new prices. All currencies until the settings are loaded. */
export const useCurrencies = (): readonly string[] => {
  const used = useCompanyCurrencies();
  return used.length > 0 ? used : currencies;
};
