import type { Client } from "./client.ts";
import type { Answer, FeatureCode } from "./types.ts";

export type FeatureState<Code extends string = string> = {
  isLoading: boolean;
  /** False while it is loading or has failed. */
  allowed: boolean;
  answer: Answer<Code> | null;
  error: Error | null;
};

type Watched<Code extends FeatureCode> = {
  user: string;
  feature: Code;
  amount?: number;
  refreshMs?: number;
};

const loading = { isLoading: true, allowed: false, answer: null, error: null };

/** The answer of a feature for a component, renewed while there is a listener. */
export const createFeatureStore = <Code extends FeatureCode>(
  client: Client,
  { user, feature, amount = 1, refreshMs = 30_000 }: Watched<Code>,
) => {
  const known = amount === 1 ? client.peek(user, feature) : undefined;
  const ofAnswer = (answer: Answer<Code>): FeatureState<Code> => ({
    isLoading: false,
    allowed: answer.allowed,
    answer,
    error: null,
  });
  let state: FeatureState<Code> = known ? ofAnswer({ ...known, source: "cache" }) : loading;
  let isAsking = false;
  /** Whether own usage was added while an answer was on its way. */
  let isOutdated = false;
  const listeners = new Set<() => void>();

  const set = (next: FeatureState<Code>) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    isOutdated = false;
    try {
      set(ofAnswer(await client.check(user, feature, { amount })));
    } catch (error) {
      set({ ...loading, isLoading: false, error: error as Error });
    } finally {
      isAsking = false;
    }
    if (isOutdated) await ask();
  };

  let stop = () => {};
  const start = () => {
    void ask();
    const timer = setInterval(ask, refreshMs);
    const unsubscribe = client.subscribe((changed, isOwnUsage) => {
      if (changed !== null && changed !== user) return;
      if (isOwnUsage) {
        isOutdated = isAsking;
        return void ask();
      }
      // Renewed by another check, or out of date.
      if (client.isFresh(user, feature) && client.peek(user, feature)?.asOf === state.answer?.asOf)
        return;
      void ask();
    });
    stop = () => {
      clearInterval(timer);
      unsubscribe();
    };
  };

  return {
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
  };
};
