import { currencies } from "@purser/contract/fields/amounts";
import { getCompany } from "@purser/contract/workspace/settings";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";

const companyQuery = queryOptions({
  queryKey: ["settings", "company"],
  queryFn: () => call(getCompany),
});

/** The currencies allowed for new prices. All currencies until the settings are loaded. */
export const useCurrencies = (): readonly string[] => {
  const used = useQuery(companyQuery).data?.currencies ?? [];
  return used.length > 0 ? used : currencies;
};
