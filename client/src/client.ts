import { answerFrom } from "./answers.ts";
import { type Asked, createChecks, createParts, type OfflineSource } from "./checks.ts";
import { createCounting, newId, type Use } from "./counting.ts";
import { followChanges } from "./live.ts";
import type { Answer, Check, Environment, FeatureCode, Options } from "./types.ts";

const environmentOf = (given: Partial<Environment> = {}): Environment => ({
  fetch: (...call) => fetch(...call),
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  ...given,
});

/** A client of one app. Create it once, and share it. */
export const createClient = (options: Options) => {
  const environment = environmentOf(options.environment);
  const parts = createParts(options, environment);
  const { cache, transport, requests, buffer } = parts;
  const checks = createChecks(options, environment, parts);
  const stopLive = options.live
    ? followChanges({
        transport,
        environment,
        onChanges: cache.invalidate,
        onError: options.onError,
      })
    : undefined;

  const check = async <Code extends FeatureCode>(user: string, feature: Code, asked: Asked = {}) =>
    (checks.fromCache(user, feature, asked) ??
      (await checks.ask(user, feature, asked))) as Answer<Code>;

  return {
    check,
    isAllowed: async (user: string, feature: FeatureCode, asked: Asked = {}) =>
      (checks.fromCache(user, feature, asked) ?? (await checks.ask(user, feature, asked))).allowed,
    /** All features of the app. Rejects if Purser can't be reached. */
    checkAll: async (user: string): Promise<Answer[]> => {
      const at = environment.elapsed();
      const items = await requests.askAll(user).catch(checks.refuse);
      cache.store(user, items, at);
      return items.map((item) => answerFrom(item, "server"));
    },
    /** The cached answer, without a request, or undefined. It may be out of date. */
    peek: <Code extends FeatureCode>(user: string, feature: Code) =>
      cache.find(user, feature)?.check as Check<Code> | undefined,
    /** Whether the cached answer can be used without a request. */
    isFresh: (user: string, feature: FeatureCode) => {
      const entry = cache.find(user, feature);
      return entry !== undefined && !entry.isInvalid && cache.leftMs(entry) > 0;
    },
    ...createCounting(parts, checks, environment),
    /** Counts usage in the background, and returns the ID of the event. An event with the same ID is counted once. */
    record: (
      user: string,
      feature: FeatureCode,
      { amount = 1, id = newId(), at = new Date(environment.now()) }: Use & { at?: Date } = {},
    ) => {
      buffer.add({ id, user, feature, amount, at: at.toISOString() });
      return id;
    },
    /** Sends the usage that is waiting. Rejects if Purser can't be reached. */
    flush: buffer.flush,
    /** The number of events that wait to be sent. */
    unsent: buffer.size,
    /** Requests new answers at the next check, for example after a webhook. */
    invalidate: cache.invalidate,
    /** Calls the listener with a customer whose answers have changed, or null for all. */
    subscribe: cache.subscribe,
    /** Uses these answers while Purser can't be reached. */
    addOfflineSource: (source: OfflineSource) => void checks.offlineSources.push(source),
    /** For other parts of this package. */
    transport,
    environment,
    /** Sends the usage that is waiting, and stops. Returns how many events are left in the storage. */
    close: () => {
      stopLive?.();
      return buffer.close();
    },
  };
};
export type Client = ReturnType<typeof createClient>;
