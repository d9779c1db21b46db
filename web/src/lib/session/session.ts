import type { Permission } from "@purser/contract/auth/permissions";
import { getSession } from "@purser/contract/auth/session";
import type { Wire } from "@purser/contract/http/endpoint";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { CallError, call } from "../api/call.ts";
import { client } from "../api/queryClient.ts";

export type Me = Wire<typeof getSession>["reply"];

/** Who is signed in, or nobody. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Me | null> => {
    try {
      return await call(getSession, { signedOut: "tell" });
    } catch (error) {
      if (error instanceof CallError && error.is("unauthenticated")) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const setSession = (me: Me | null) => client.setQueryData(sessionQuery.queryKey, me);

/** After something that the session's own answer tells of: a name, a second factor. */
export const readSessionAgain = () => client.invalidateQueries({ queryKey: sessionQuery.queryKey });

/** The person on a guarded page. */
export const useMe = (): Me => {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error("The page is not guarded.");
  return data;
};

export const useMay = (permission: Permission) => useMe().permissions.includes(permission);
