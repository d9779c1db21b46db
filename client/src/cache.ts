import type { Check, Fallback } from "./types.ts";

type Entry = {
  check: Check;
  /** When it was received, by the clock that never jumps. */
  at: number;
  isInvalid: boolean;
};

/** Without a word of the server, such as from an earlier release. */
const maxAgeSecondsDefault = 5;
const staleIfErrorSecondsDefault = 3600;

type Listener = (user: string | null) => void;

/** Answers by customer and feature. The customer whose answers were renewed least recently is removed first. */
export const createCache = (customersMax: number, elapsed: () => number) => {
  const customers = new Map<string, Map<string, Entry>>();
  const fallbacks = new Map<string, Fallback>();
  const listeners = new Set<Listener>();
  const notify = (user: string | null) => {
    for (const listener of listeners) listener(user);
  };

  const find = (user: string, feature: string) => customers.get(user)?.get(feature);

  /** Answers that were requested earlier may arrive later. */
  const isOlder = (check: Check, known: Entry | undefined) =>
    known !== undefined && Date.parse(check.asOf) < Date.parse(known.check.asOf);

  return {
    ageSeconds: ({ at }: Entry) => (elapsed() - at) / 1000,
    find,
    isFresh: (entry: Entry) =>
      !entry.isInvalid &&
      elapsed() - entry.at < (entry.check.maxAgeSeconds ?? maxAgeSecondsDefault) * 1000,
    isUsableOffline: ({ check, at }: Entry) =>
      elapsed() - at <= (check.staleIfErrorSeconds ?? staleIfErrorSecondsDefault) * 1000,
    fallbackOf: (feature: string) => fallbacks.get(feature),
    store: (user: string, checks: readonly Check[]) => {
      const answers = customers.get(user) ?? new Map<string, Entry>();
      customers.delete(user);
      customers.set(user, answers);
      for (const check of checks) {
        const { code } = check.feature;
        if (isOlder(check, answers.get(code))) continue;
        answers.set(code, { check, at: elapsed(), isInvalid: false });
        if (check.fallback) fallbacks.set(code, check.fallback);
      }
      for (const oldest of customers.keys()) {
        if (customers.size <= customersMax) break;
        customers.delete(oldest);
      }
      notify(user);
    },
    /** Renews answers at the next check. They are still used while Purser can't be reached. */
    invalidate: (users: readonly string[] | "all") => {
      for (const user of users === "all" ? customers.keys() : users)
        for (const entry of customers.get(user)?.values() ?? []) entry.isInvalid = true;
      if (users === "all") notify(null);
      else users.forEach(notify);
    },
    clear: () => {
      customers.clear();
      notify(null);
    },
    subscribe: (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
