import { notifyManager, QueryClient } from "@tanstack/react-query";
import { CallError } from "./call.ts";

const worthAnotherTry = (error: Error) =>
  error instanceof CallError && (error.problem.status === 0 || error.problem.status === 503);

// What a person switches must look switched by the time the click is over.
notifyManager.setScheduler(queueMicrotask);

/** What was read stays on screen while it is read again; a refusal is not asked twice. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (tries, error) => tries < 1 && worthAnotherTry(error),
    },
    mutations: { retry: false },
  },
});
