import { currencies } from "@purser/contract/fields/money";
import { getCompany } from "@purser/contract/workspace/settings";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";

const companyQuery = queryOptions({
  queryKey: ["settings", "company"],
  queryFn: () => call(getCompany),
});

/** The currencies that a new price may be in; until that is known, every one there is. */
export const useCurrencies = (): readonly string[] => {
  const used = useQuery(companyQuery).data?.currencies ?? [];
  return used.length > 0 ? used : currencies;
};
