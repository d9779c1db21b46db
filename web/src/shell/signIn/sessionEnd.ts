import { useSyncExternalStore } from "react";
import { onSessionEnd } from "#lib/api/call.ts";
import { createListeners } from "#lib/listeners.ts";

type Waiting = { promise: Promise<void>; resolve: () => void };

let waiting: Waiting | null = null;
const { subscribe, notify } = createListeners();

const wait = (next: Waiting | null) => {
  waiting = next;
  notify();
};

// Many calls may fail at once, but the user signs in once.
onSessionEnd(() => {
  const own = waiting ?? Promise.withResolvers<void>();
  if (!waiting) wait(own);
  return own.promise;
});

/** Whether calls are waiting for a new sign-in. */
export const useSessionEnded = () => useSyncExternalStore(subscribe, () => waiting !== null);

export const resumeSession = () => {
  waiting?.resolve();
  wait(null);
};
