import { useSyncExternalStore } from "react";
import { onSessionEnd } from "#lib/api/call.ts";
import { createListeners } from "#lib/listeners.ts";

type Waiting = { promise: Promise<void>; resolve: () => void };

let waiting: Waiting | null = null;
const { subscribe, tell } = createListeners();

const wait = (next: Waiting | null) => {
  waiting = next;
  tell();
};

// However many calls meet the end of the session, the person signs in once.
onSessionEnd(() => {
  const own = waiting ?? Promise.withResolvers<void>();
  if (!waiting) wait(own);
  return own.promise;
});

/** Whether calls wait for the person to sign in again. */
export const useSessionEnded = () => useSyncExternalStore(subscribe, () => waiting !== null);

export const sessionIsBack = () => {
  waiting?.resolve();
  wait(null);
};
