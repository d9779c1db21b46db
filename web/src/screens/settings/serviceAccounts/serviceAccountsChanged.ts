import { queryClient } from "#lib/api/queryClient.ts";
import { serviceAccountsQuery } from "../queries.ts";

export const serviceAccountsChanged = () =>
  queryClient.invalidateQueries({ queryKey: serviceAccountsQuery.queryKey });
