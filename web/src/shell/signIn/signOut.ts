import { signOut } from "@purser/contract/auth/session";
import { CallError, call } from "#lib/api/call.ts";
import { flushDrafts, forgetCopies } from "#lib/drafts/drafts.ts";
import { pageAddress } from "#lib/page/runtime.ts";
import { attempt } from "#ui/popups/toast.ts";
import { announceSession } from "./sessionChannel.ts";

/** Whoever is signed out already wanted just that. */
const unlessEnded = (error: unknown) => {
  if (!(error instanceof CallError && error.is("unauthenticated"))) throw error;
};

export const leave = () =>
  attempt(async () => {
    await flushDrafts();
    await call(signOut, { signedOut: "tell" }).catch(unlessEnded);
    forgetCopies();
    announceSession();
    // A new page: nothing of what was read for this person stays.
    location.assign(pageAddress("/login"));
  });
