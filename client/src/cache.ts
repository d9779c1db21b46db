import type { Answer, Check, Fallback } from "./types.ts";

type Entry = {
  /** As it is returned from the cache. */
  check: Check & Pick<Answer, "source">;
  /** When it was requested, by the clock that never jumps. */
  at: number;
  isInvalid: boolean;
  /** Usage that was counted after it was requested, and when the last of it was. */
  counted: number;
  countedAt: number;
};

/** Without a word of the server, such as from an earlier release. */
const maxAgeSecondsDefault = 5;
const staleIfErrorSecondsDefault = 3600;

const maxAgeMs = ({ maxAgeSeconds = maxAgeSecondsDefault }: Check) => maxAgeSeconds * 1000;

/** If an answer was requested later and is older by more than this, the clock of the server was set back. */
const clockJumpMs = 10_000;

/** In the last part of its time, an answer that is used is renewed in the background. */
const renewedPart = 0.25;

/** Usage that was counted after an answer was requested isn't in it. */
const entryOf = (given: Check, at: number, known: Entry | undefined): Entry => {
  const check = { ...given, source: "cache" as const };
  return known && known.countedAt > at
    ? { ...known, check, at, isInvalid: false }
    : { check, at, isInvalid: false, counted: 0, countedAt: at };
};

/** Receives a customer whose answers have changed, or null for all, and whether only own usage was added. */
type Listener = (user: string | null, isOwnUsage: boolean) => void;

/** Answers by customer and feature. The customer whose answers were renewed least recently is removed first. */
export const createCache = (customersMax: number, elapsed: () => number) => {
  const customers = new Map<string, Map<string, Entry>>();
  const fallbacks = new Map<string, Fallback>();
  const listeners = new Set<Listener>();
  const notify = (user: string | null, isOwnUsage = false) => {
    for (const listener of listeners) listener(user, isOwnUsage);
  };

  const find = (user: string, feature: string) => customers.get(user)?.get(feature);

  /** Answers that were requested earlier may arrive later, and servers may remember answers for a moment. */
  const isOlder = (check: Check, at: number, known: Entry | undefined) => {
    const olderMs = known ? Date.parse(known.check.asOf) - Date.parse(check.asOf) : 0;
    return known !== undefined && olderMs > 0 && (at < known.at || olderMs < clockJumpMs);
  };

  return {
    find,
    /** How long an answer can still be used, also less than 0. */
    leftMs: ({ check, at }: Entry) => at + maxAgeMs(check) - elapsed(),
    isRenewedSoon: ({ check }: Entry, leftMs: number) => leftMs <= maxAgeMs(check) * renewedPart,
    isUsableOffline: ({ check, at }: Entry) =>
      elapsed() - at <= (check.staleIfErrorSeconds ?? staleIfErrorSecondsDefault) * 1000,
    fallbackOf: (feature: string) => fallbacks.get(feature),
    store: (user: string, checks: readonly Check[], at: number) => {
      const answers = customers.get(user) ?? new Map<string, Entry>();
      customers.delete(user);
      customers.set(user, answers);
      for (const check of checks) {
        const { code } = check.feature;
        const known = answers.get(code);
        if (isOlder(check, at, known)) continue;
        answers.set(code, entryOf(check, at, known));
        if (check.fallback) fallbacks.set(code, check.fallback);
      }
      for (const oldest of customers.keys()) {
        if (customers.size <= customersMax) break;
        customers.delete(oldest);
      }
      notify(user);
    },
    /** Lowers what remains until an answer arrives that was requested later. */
    count: (user: string, feature: string, amount: number) => {
      const entry = find(user, feature);
      if (!entry) return;
      entry.counted += amount;
      entry.countedAt = elapsed();
    },
    /** Renews answers at the next check. They are still used while Purser can't be reached. */
    invalidate: (users: readonly string[] | "all") => {
      for (const user of users === "all" ? customers.keys() : users)
        for (const entry of customers.get(user)?.values() ?? []) entry.isInvalid = true;
      if (users === "all") notify(null);
      else for (const user of users) notify(user);
    },
    /** Usage of this client waits, which lowers what remains. */
    noteOwnUsage: (user: string) => notify(user, true),
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
