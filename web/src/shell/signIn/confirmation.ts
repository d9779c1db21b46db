import { useSyncExternalStore } from "react";
import { onProofRequired } from "#lib/api/call.ts";
import { createListeners } from "#lib/listeners.ts";

type Waiting = PromiseWithResolvers<boolean>;

let waiting: Waiting | null = null;
const { subscribe, notify } = createListeners();

const wait = (next: Waiting | null) => {
  waiting = next;
  notify();
};

// Several calls may be refused at once, but the user confirms once.
onProofRequired(() => {
  const own = waiting ?? Promise.withResolvers<boolean>();
  if (!waiting) wait(own);
  return own.promise;
});

/** Whether calls are waiting for the user to confirm their identity. */
export const useConfirmationPending = () => useSyncExternalStore(subscribe, () => waiting !== null);

/** The waiting calls continue, or are refused if the user canceled. */
export const endConfirmation = (isConfirmed: boolean) => {
  waiting?.resolve(isConfirmed);
  wait(null);
};
