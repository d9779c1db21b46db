import { signOut } from "@purser/contract/auth/session";
import { CallError, call } from "#lib/api/call.ts";
import { flushDrafts, removeAllCopies } from "#lib/drafts/drafts.ts";
import { pageAddress } from "#lib/page/runtime.ts";
import { attempt } from "#ui/popups/toast.ts";
import { announceSession } from "./sessionChannel.ts";

/** A session that has already ended is no error here. */
const unlessEnded = (error: unknown) => {
  if (!(error instanceof CallError && error.is("unauthenticated"))) throw error;
};

export const signOutAndLeave = () =>
  attempt(async () => {
    await flushDrafts();
    await call(signOut, { signedOut: "throw" }).catch(unlessEnded);
    removeAllCopies();
    announceSession();
    // A full page load drops all cached data of this user.
    location.assign(pageAddress("/login"));
  });
