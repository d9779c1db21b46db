import { getWaysIn } from "@purser/contract/auth/sso";
import type { Wire } from "@purser/contract/http/endpoint";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { Refusal } from "../api/userFacingError.ts";

type Ways = Wire<typeof getWaysIn>["reply"];

/** What nearly every office has, while nobody said otherwise. */
const usual: Ways = { passwords: true, company: null };

/** Which ways to sign in are open. */
export const waysQuery = queryOptions({
  queryKey: ["ways in"],
  queryFn: async () => {
    try {
      return await call(getWaysIn, { signedOut: "tell" });
    } catch (error) {
      if (error instanceof Refusal) return usual;
      throw error;
    }
  },
  staleTime: 30_000,
});

export const useWays = () => useQuery(waysQuery).data ?? usual;
