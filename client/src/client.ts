import { answerFor, answerFrom, fallbackAnswer } from "./answers.ts";
import { createCache } from "./cache.ts";
import { isKeyRefused, isUnreachable } from "./error.ts";
import { followChanges } from "./live.ts";
import { createCheckRequests } from "./requests.ts";
import { createTransport } from "./transport.ts";
import type {
  Answer,
  Check,
  Consumed,
  Environment,
  FeatureCode,
  Options,
  Reservation,
} from "./types.ts";
import { createUsageBuffer } from "./usageBuffer.ts";

const environmentOf = (given: Partial<Environment> = {}): Environment => ({
  fetch: (...call) => fetch(...call),
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  ...given,
});

/** Answers from elsewhere while Purser can't be reached, such as a signed snapshot. */
export type OfflineSource = (user: string, feature: string) => Check | undefined;

export type Asked = {
  /** How much the customer is about to use. By default 1. */
  amount?: number;
  /** The version of the customer's entitlements that the answer must at least have. */
  minVersion?: number;
};

/** What checks and counting share. */
const createParts = (options: Options, environment: Environment) => {
  const transport = createTransport(options, environment);
  const cache = createCache(options.customersMax ?? 10_000, environment.elapsed);
  const buffer = createUsageBuffer(options, {
    transport,
    environment,
    onCounted: ({ user, feature, amount }) => cache.count(user, feature, Math.max(0, amount)),
    onSent: cache.invalidate,
  });
  const requests = createCheckRequests(transport, environment, options.token !== undefined);
  return { transport, cache, buffer, requests };
};
type Parts = ReturnType<typeof createParts>;

/** What was used after a snapshot was signed, as far as a later answer says. */
const usedAfter = ({ asOf, remaining }: Check, later: Check | undefined) =>
  later && asOf < later.asOf
    ? Math.max(0, (remaining ?? 0) - (later.remaining ?? remaining ?? 0))
    : 0;

/** Answers checks: from the cache while they are fresh, and by fallbacks while Purser can't be reached. */
const createChecks = (
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

  const check = async (
    user: string,
    feature: string,
    { amount = 1, minVersion }: Asked,
  ): Promise<Answer> => {
    const entry = cache.find(user, feature);
    if (minVersion !== undefined && !((entry?.check.version ?? 0) >= minVersion))
      return load(user, feature, amount, minVersion);
    const answer = entry && answerFor(entry.check, amount, ownOf(user, feature, entry));
    if (!answer || entry.isInvalid) return load(user, feature, amount);
    const leftMs = cache.leftMs(entry);
    if (leftMs + staleWhileRevalidateSeconds * 1000 <= 0) return load(user, feature, amount);
    if (cache.isRenewedSoon(entry, leftMs))
      void load(user, feature, amount).catch((error: Error) => options.onError?.(error));
    return answerFrom(answer, "cache");
  };

  return { check, withoutServer, refuse, offlineSources };
};
type Checks = ReturnType<typeof createChecks>;

type Use = { id?: string; amount?: number };

const newId = () => crypto.randomUUID();

/** Usage that Purser counts before it answers. */
const createCounting = (
  { transport: { send }, cache, buffer }: Parts,
  { withoutServer, refuse }: Checks,
  { now, elapsed }: Environment,
) => {
  /** What was allowed earlier is counted earlier, so that it isn't refused. */
  const sendEarlier = async (user: string, feature: string) => {
    if (buffer.amountOf(user, feature) > 0) await buffer.flush();
  };

  /** A repeated request has the same reply. */
  const settle = (reservationId: string, how: string, body: object) =>
    send<Reservation>({
      method: "POST",
      path: `/usage/reservations/${reservationId}/${how}`,
      body,
    }).catch(refuse);

  return {
    /** Checks a feature and counts its usage in one call. If the answer is no, nothing is counted. */
    consume: async <Code extends FeatureCode>(
      user: string,
      feature: Code,
      { amount = 1, id = newId() }: Use = {},
    ): Promise<Consumed<Code>> => {
      const body = { id, user, feature, amount };
      try {
        await sendEarlier(user, feature);
        const at = elapsed();
        const { result, ...check } = await send<Check & { result: "recorded" }>({
          method: "POST",
          path: "/usage/consume",
          body,
        });
        // A refusal of more than one says nothing about one.
        if (check.allowed || amount === 1) cache.store(user, [check], at);
        else cache.invalidate([user]);
        return { ...answerFrom(check, "server"), result } as Consumed<Code>;
      } catch (error) {
        if (!isUnreachable(error)) return refuse(error);
        const answer = withoutServer(user, feature, amount) as Answer<Code>;
        const isRepeated = buffer.has(id);
        const isKept =
          isRepeated ||
          (answer.allowed && buffer.add({ ...body, at: new Date(now()).toISOString() }));
        if (!isKept) return { ...answer, allowed: false, result: "refused" };
        const { used, remaining } = withoutServer(user, feature, amount);
        return { ...answer, allowed: true, used, remaining, result: "buffered" };
      }
    },
    /** Reserves an amount for some time. The reservation is null if the answer is no. */
    reserve: async (
      user: string,
      feature: FeatureCode,
      { amount = 1, id = newId(), seconds }: Use & { seconds?: number } = {},
    ) => {
      try {
        await sendEarlier(user, feature);
        return await send<{ answer: Check; reservation: Reservation | null }>({
          method: "POST",
          path: "/usage/reservations",
          body: { id, user, feature, amount, ...(seconds !== undefined && { seconds }) },
        });
      } catch (error) {
        return refuse(error);
      }
    },
    confirm: (reservationId: string, amount?: number) =>
      settle(reservationId, "confirm", amount === undefined ? {} : { amount }),
    release: (reservationId: string) => settle(reservationId, "release", {}),
  };
};

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

  const check = <Code extends FeatureCode>(user: string, feature: Code, asked: Asked = {}) =>
    checks.check(user, feature, asked) as Promise<Answer<Code>>;

  return {
    check,
    isAllowed: async (user: string, feature: FeatureCode, asked: Asked = {}) =>
      (await check(user, feature, asked)).allowed,
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
