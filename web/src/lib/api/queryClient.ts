import { notifyManager, QueryClient } from "@tanstack/react-query";
import { CallError } from "./call.ts";

// A list that took too long would do so again.
const worthAnotherTry = (error: Error) =>
  error instanceof CallError &&
  (error.problem.status === 0 || error.problem.status === 503) &&
  error.problem.reason !== "list_too_slow";

// A toggle must show its new state within the same click event.
notifyManager.setScheduler(queueMicrotask);

/** Cached data stays visible while it is refetched. Refused requests aren't retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (tries, error) => tries < 1 && worthAnotherTry(error),
    },
    mutations: { retry: false },
  },
});
