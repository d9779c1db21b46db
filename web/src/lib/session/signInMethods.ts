import { getSignInMethods } from "@purser/contract/auth/sso";
import type { Wire } from "@purser/contract/http/endpoint";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { UserFacingError } from "../api/userFacingError.ts";

type SignInMethods = Wire<typeof getSignInMethods>["reply"];

/** Assumed if the server can't be asked. */
const defaults: SignInMethods = { passwords: true, sso: null };

export const signInMethodsQuery = queryOptions({
  queryKey: ["sign-in methods"],
  queryFn: async () => {
    try {
      return await call(getSignInMethods, { signedOut: "throw" });
    } catch (error) {
      if (error instanceof UserFacingError) return defaults;
      throw error;
    }
  },
  staleTime: 30_000,
});

export const useSignInMethods = () => useQuery(signInMethodsQuery).data ?? defaults;
