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

/** Answers checks: from the cache while they are fresh, and by fallbacks while Purser can't be reached. */
const createChecks = (options: Options, environment: Environment) => {
  const { customersMax = 10_000, staleWhileRevalidateSeconds = 10, fallbacks = {} } = options;
  const transport = createTransport(options, environment);
  const cache = createCache(customersMax, environment.elapsed);
  const requests = createCheckRequests(transport, options.token !== undefined);
  const offlineSources: OfflineSource[] = [];

  const fromOffline = (user: string, feature: string) => {
    for (const source of offlineSources) {
      const check = source(user, feature);
      if (check) return answerFrom(check, "snapshot");
    }
    return undefined;
  };

  /** Purser can't be reached, so the last known answer applies as long as Purser allowed, and then the fallback. */
  const withoutServer = (user: string, feature: string, amount: number): Answer => {
    const entry = cache.find(user, feature);
    const known =
      entry && cache.isUsableOffline(entry)
        ? answerFrom(entry.check, "last known")
        : fromOffline(user, feature);
    if (known) {
      const { source, ...check } = { enforcement: "hard" as const, ...known };
      return answerFrom(answerFor(check as Check, amount) ?? (check as Check), source);
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
      const check = await (minVersion === undefined
        ? requests.ask(user, feature)
        : requests.askOne(user, feature, { minVersion }));
      cache.store(user, [check]);
      const answer = answerFor(check, amount) ?? (await requests.askOne(user, feature, { amount }));
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
    const answer = entry && answerFor(entry.check, amount);
    if (!entry || !answer) return load(user, feature, amount);
    if (cache.isFresh(entry)) return answerFrom(answer, "cache");
    const { maxAgeSeconds = 5 } = entry.check;
    const isRecent = cache.ageSeconds(entry) < maxAgeSeconds + staleWhileRevalidateSeconds;
    if (entry.isInvalid || !isRecent) return load(user, feature, amount);
    void load(user, feature, amount).catch((error: Error) => options.onError?.(error));
    return answerFrom(answer, "cache");
  };

  return { transport, cache, requests, check, withoutServer, refuse, offlineSources };
};
type Checks = ReturnType<typeof createChecks>;

type Use = { id?: string; amount?: number };

const newId = () => crypto.randomUUID();

/** Usage that Purser counts before it answers. */
const createCounting = (
  { transport: { send }, cache, withoutServer, refuse }: Checks,
  buffer: ReturnType<typeof createUsageBuffer>,
  { now }: Environment,
) => ({
  /** Checks a feature and counts its usage in one call. If the answer is no, nothing is counted. */
  consume: async <Code extends FeatureCode>(
    user: string,
    feature: Code,
    { amount = 1, id = newId() }: Use = {},
  ): Promise<Consumed<Code>> => {
    const body = { id, user, feature, amount };
    try {
      const { result, ...check } = await send<Check & { result: "recorded" }>({
        method: "POST",
        path: "/usage/consume",
        body,
      });
      cache.store(user, [check]);
      return { ...answerFrom(check, "server"), result } as Consumed<Code>;
    } catch (error) {
      if (!isUnreachable(error)) return refuse(error);
      const answer = withoutServer(user, feature, amount) as Answer<Code>;
      if (answer.allowed) buffer.add({ ...body, at: new Date(now()).toISOString() });
      return { ...answer, result: answer.allowed ? "buffered" : "refused" };
    }
  },
  /** Reserves an amount for some time. The reservation is null if the answer is no. */
  reserve: (
    user: string,
    feature: FeatureCode,
    { amount = 1, id = newId(), seconds }: Use & { seconds?: number } = {},
  ) =>
    send<{ answer: Check; reservation: Reservation | null }>({
      method: "POST",
      path: "/usage/reservations",
      body: { id, user, feature, amount, ...(seconds !== undefined && { seconds }) },
    }).catch(refuse),
  confirm: (reservationId: string, amount?: number) =>
    send<Reservation>({
      method: "POST",
      path: `/usage/reservations/${reservationId}/confirm`,
      isOnce: true,
      body: amount === undefined ? {} : { amount },
    }).catch(refuse),
  release: (reservationId: string) =>
    send<Reservation>({
      method: "POST",
      path: `/usage/reservations/${reservationId}/release`,
      isOnce: true,
      body: {},
    }).catch(refuse),
});

/** A client of one app. Create it once, and share it. */
export const createClient = (options: Options) => {
  const environment = environmentOf(options.environment);
  const checks = createChecks(options, environment);
  const { cache, transport, requests, refuse } = checks;
  const buffer = createUsageBuffer(options, {
    transport,
    environment,
    onSent: cache.invalidate,
  });
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
      const items = await requests.askAll(user).catch(refuse);
      cache.store(user, items);
      return items.map((item) => answerFrom(item, "server"));
    },
    /** The cached answer, without a request, or undefined. It may be out of date. */
    peek: <Code extends FeatureCode>(user: string, feature: Code) =>
      cache.find(user, feature)?.check as Check<Code> | undefined,
    /** Whether the cached answer can be used without a request. */
    isFresh: (user: string, feature: FeatureCode) => {
      const entry = cache.find(user, feature);
      return entry !== undefined && cache.isFresh(entry);
    },
    ...createCounting(checks, buffer, environment),
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
