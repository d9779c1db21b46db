import type { Wire } from "@purser/contract/endpoint";
import { getSession } from "@purser/contract/session";
import { CallError, call } from "./call.ts";

export type Me = Wire<typeof getSession>["reply"];

/** Who is signed in, or nobody. */
export const readSession = async (): Promise<Me | null> => {
  try {
    return await call(getSession);
  } catch (error) {
    if (error instanceof CallError && error.is("unauthenticated")) return null;
    throw error;
  }
};
