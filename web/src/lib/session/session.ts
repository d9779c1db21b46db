import type { Permission } from "@purser/contract/auth/permissions";
import { getSignedInUser } from "@purser/contract/auth/session";
import type { Wire } from "@purser/contract/http/endpoint";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { queryClient } from "../api/queryClient.ts";

export type Me = NonNullable<Wire<typeof getSignedInUser>["reply"]["user"]>;

/** The signed-in user, or null. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Me | null> => (await call(getSignedInUser)).user,
  staleTime: Number.POSITIVE_INFINITY,
});

export const setSession = (me: Me | null) => queryClient.setQueryData(sessionQuery.queryKey, me);

/**
 * Call after changing something the session contains, such as the name or two-factor
 * authentication.
 */
export const refreshSession = () =>
  queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });

/** The signed-in user. Only for guarded pages. */
export const useMe = (): Me => {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error("The page is not guarded.");
  return data;
};

export const useMay = (permission: Permission) => useMe().permissions.includes(permission);
