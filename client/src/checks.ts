import { answerFor, answerFrom, fallbackAnswer } from "./answers.ts";
import { createCache } from "./cache.ts";
import { isKeyRefused, isUnreachable } from "./error.ts";
import { createCheckRequests } from "./requests.ts";
import { createTransport } from "./transport.ts";
import type { Answer, Check, Environment, Options } from "./types.ts";
import { createUsageBuffer } from "./usageBuffer.ts";

/** Answers from elsewhere while Purser can't be reached, such as a signed snapshot. */
export type OfflineSource = (user: string, feature: string) => Check | undefined;

export type Asked = {
  /** How much the customer is about to use. By default 1. */
  amount?: number;
  /** The version of the customer's entitlements that the answer must at least have. */
  minVersion?: number;
};

/** What checks and counting share. */
export const createParts = (options: Options, environment: Environment) => {
  const transport = createTransport(options, environment);
  const cache = createCache(options.customersMax ?? 10_000, environment.elapsed);
  const buffer = createUsageBuffer(options, {
    transport,
    environment,
    onCounted: ({ user, feature, amount }) => cache.count(user, feature, Math.max(0, amount)),
    onSent: cache.invalidate,
    onAdded: ({ user }) => cache.noteOwnUsage(user),
  });
  const requests = createCheckRequests(transport, environment, options.token !== undefined);
  return { transport, cache, buffer, requests };
};
export type Parts = ReturnType<typeof createParts>;

/** What was used after a snapshot was signed, as far as a later answer says. */
const usedAfter = ({ asOf, remaining }: Check, later: Check | undefined) =>
  later && asOf < later.asOf
    ? Math.max(0, (remaining ?? 0) - (later.remaining ?? remaining ?? 0))
    : 0;

/** Answers checks: from the cache while they are fresh, and by fallbacks while Purser can't be reached. */
export const createChecks = (
  options: Options,
  environment: Environment,
  { cache, buffer, requests }: Parts,
) => {
  const { staleWhileRevalidateSeconds = 0, fallbacks = {} } = options;
  const offlineSources: OfflineSource[] = [];
  /** Usage of this client that an answer doesn't include. */
  const ownOf = (user: string, feature: string, entry = cache.find(user, feature)) =>
    (entry?.counted ?? 0) + buffer.amountOf(user, feature);

  const fromOffline = (user: string, feature: string) => {
    for (const source of offlineSources) {
      const check = source(user, feature);
      if (check) return check;
    }
    return undefined;
  };

  /** Purser can't be reached, so the last known answer applies as long as Purser allowed, and then the fallback. */
  const withoutServer = (user: string, feature: string, amount: number): Answer => {
    const entry = cache.find(user, feature);
    const isKnown = entry && cache.isUsableOffline(entry);
    const found = isKnown ? entry.check : fromOffline(user, feature);
    if (found) {
      const check = { enforcement: "hard" as const, ...found };
      const own = usedAfter(found, entry?.check) + ownOf(user, feature, entry);
      return answerFrom(
        answerFor(check, amount, own) ?? check,
        isKnown ? "last known" : "snapshot",
      );
    }
    const given = (fallbacks as Record<string, "allow" | "deny" | undefined>)[feature];
    return fallbackAnswer(feature, given ?? cache.fallbackOf(feature) ?? "deny", environment.now());
  };

  /** A revoked key ends the use of cached answers too. */
  const refuse = (error: unknown): never => {
    if (isKeyRefused(error) && error.status === 401) cache.clear();
    throw error;
  };

  const load = async (
    user: string,
    feature: string,
    amount: number,
    minVersion?: number,
  ): Promise<Answer> => {
    try {
      const { check, at } = await (minVersion === undefined
        ? requests.ask(user, feature)
        : requests.askOne(user, feature, { minVersion }));
      cache.store(user, [check], at);
      const answer =
        answerFor(check, amount, ownOf(user, feature)) ??
        (await requests.askOne(user, feature, { amount })).check;
      return answerFrom(answer, "server");
    } catch (error) {
      return isUnreachable(error) ? withoutServer(user, feature, amount) : refuse(error);
    }
  };

  /** The cached answer if it can be used, without waiting, because most checks end here. */
  const fromCache = (user: string, feature: string, asked: Asked): Answer | undefined => {
    const { amount = 1, minVersion } = asked;
    const entry = cache.find(user, feature);
    if (!entry || entry.isInvalid) return undefined;
    if (minVersion !== undefined && !((entry.check.version ?? 0) >= minVersion)) return undefined;
    const leftMs = cache.leftMs(entry);
    if (leftMs + staleWhileRevalidateSeconds * 1000 <= 0) return undefined;
    const answer = answerFor(entry.check, amount, ownOf(user, feature, entry));
    if (!answer) return undefined;
    if (cache.isRenewedSoon(entry, leftMs))
      void load(user, feature, amount).catch((error: Error) => options.onError?.(error));
    // Most are what is stored, which says that it is from the cache.
    return answer === entry.check ? entry.check : answerFrom(answer, "cache");
  };

  const ask = (user: string, feature: string, { amount = 1, minVersion }: Asked) => {
    const version = cache.find(user, feature)?.check.version ?? 0;
    return load(user, feature, amount, version >= (minVersion ?? 0) ? undefined : minVersion);
  };

  return { fromCache, ask, withoutServer, refuse, offlineSources };
};
export type Checks = ReturnType<typeof createChecks>;
