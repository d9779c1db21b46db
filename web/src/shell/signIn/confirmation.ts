import { useSyncExternalStore } from "react";
import { onProofRequired, type RefusedCall } from "#lib/api/call.ts";
import { createListeners } from "#lib/listeners.ts";

type Waiting = PromiseWithResolvers<boolean> & { call: RefusedCall };

let waiting: Waiting | null = null;
const { subscribe, notify } = createListeners();

const wait = (next: Waiting | null) => {
  waiting = next;
  notify();
};

// Several calls may be refused at once, but the user confirms once.
onProofRequired((call) => {
  const own = waiting ?? { ...Promise.withResolvers<boolean>(), call };
  if (!waiting) wait(own);
  return own.promise;
});

/** The call that waits for the user to confirm their identity, or null. */
export const useCallToConfirm = () => useSyncExternalStore(subscribe, () => waiting?.call ?? null);

/** The waiting calls continue, or are refused if the user canceled. */
export const endConfirmation = (isConfirmed: boolean) => {
  waiting?.resolve(isConfirmed);
  wait(null);
};
