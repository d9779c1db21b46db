import { useEffect, useEffectEvent } from "react";

/** Subscribes to changes made by others while the user is signed in, since the session was read. */
export const useLiveChanges = (isSignedIn: boolean, since: string) => {
  const start = useEffectEvent(async (signal: AbortSignal) => {
    // After the first screen, which doesn't wait for it.
    const { followChanges } = await import("#lib/api/changeStream.ts");
    if (!signal.aborted) followChanges(since, signal);
  });
  useEffect(() => {
    if (!isSignedIn) return;
    const stop = new AbortController();
    start(stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [isSignedIn]);
};
