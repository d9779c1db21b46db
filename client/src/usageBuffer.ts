import { isUnreachable, PurserError } from "./error.ts";
import { backoff, type Transport } from "./transport.ts";
import type { Environment, Options, UsageEvent, UsageStorage } from "./types.ts";

/** How many events a request may report. */
const batchMax = 1000;

type Item = { id: string; result: "recorded" | "duplicate" | "refused"; reason: string | null };

const memoryStorage = (): UsageStorage => ({
  load: () => [],
  add: () => undefined,
  remove: () => undefined,
});

type Tools = {
  transport: Transport;
  environment: Environment;
  /** Called for each event that Purser has counted. */
  onCounted: (event: UsageEvent) => void;
  onSent: (users: string[]) => void;
  /** Called for each event that waits from now on. */
  onAdded: (event: UsageEvent) => void;
};

/**
 * Sends batches of events. Every event has its ID from the start, so one that was sent twice because a reply was lost
 * is counted once.
 */
const createSender = (
  { onRefused }: Options,
  { transport: { send, aheadMs }, environment: { now }, onCounted }: Tools,
) => {
  /** Corrected by how far this clock is ahead, because Purser refuses events in the future. */
  const sentAs = (event: UsageEvent) => {
    const happened = Date.parse(event.at) - (aheadMs() ?? 0);
    return { ...event, at: new Date(Math.min(happened, now() - (aheadMs() ?? 0))).toISOString() };
  };

  /** Events that Purser has decided about. The others are sent again. */
  const decided = (events: readonly UsageEvent[], items: readonly Item[], wasAheadKnown: boolean) =>
    events.filter((event, place) => {
      const item = items[place];
      if (item?.reason === "in the future" && !wasAheadKnown && aheadMs() !== undefined)
        return false;
      if (item?.result !== "refused") onCounted(event);
      else onRefused?.({ event, reason: item.reason ?? "refused" });
      return true;
    });

  const sendBatch = async (events: readonly UsageEvent[]): Promise<UsageEvent[]> => {
    const wasAheadKnown = aheadMs() !== undefined;
    try {
      const body = { events: events.map(sentAs) };
      const { items } = await send<{ items: Item[] }>({ method: "POST", path: "/usage", body });
      if (items.length !== events.length)
        throw new PurserError("unreachable", "The response doesn't have a result for every event.");
      return decided(events, items, wasAheadKnown);
    } catch (error) {
      const isInvalid = error instanceof PurserError && [400, 413].includes(error.status);
      const [first] = events;
      if (!isInvalid || !first) throw error;
      if (events.length === 1) {
        onRefused?.({ event: first, reason: error.code });
        return [first];
      }
      // One invalid event must not keep the others from being counted.
      const half = events.length >> 1;
      return [
        ...(await sendBatch(events.slice(0, half))),
        ...(await sendBatch(events.slice(half))),
      ];
    }
  };
  return sendBatch;
};

/** Events by ID, with the sum of each customer and feature. */
const createQueue = (loaded: readonly UsageEvent[]) => {
  const events = new Map<string, UsageEvent>();
  const amounts = new Map<string, number>();
  // Codes of features have no blanks. What is given back is free again after Purser has counted it.
  const change = ({ user, feature, amount }: UsageEvent, sign: 1 | -1) => {
    const key = `${feature} ${user}`;
    const next = (amounts.get(key) ?? 0) + sign * Math.max(0, amount);
    if (next > 0) amounts.set(key, next);
    else amounts.delete(key);
  };
  const add = (event: UsageEvent) => {
    if (events.has(event.id)) return;
    events.set(event.id, event);
    change(event, 1);
  };
  loaded.forEach(add);
  return {
    add,
    delete: (event: UsageEvent) => {
      if (events.delete(event.id)) change(event, -1);
    },
    has: (id: string) => events.has(id),
    size: () => events.size,
    first: (count: number) => [...events.values().take(count)],
    /** How much usage of a customer and feature waits. */
    amountOf: (user: string, feature: string) =>
      amounts.size === 0 ? 0 : (amounts.get(`${feature} ${user}`) ?? 0),
  };
};

/** Usage that is sent in the background, and kept until Purser has answered for it. */
export const createUsageBuffer = (options: Options, tools: Tools) => {
  const { storage = memoryStorage(), flushMs = 1000, bufferMax = 100_000, onError } = options;
  const { random } = tools.environment;
  const waiting = createQueue(storage.load());
  const sendBatch = createSender(options, tools);
  let flushing: Promise<void> | null = null;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  /** A full disk isn't a reason to refuse or repeat usage. */
  const store = (change: () => void) => {
    try {
      change();
    } catch (error) {
      onError?.(error as Error);
    }
  };

  const sendAll = async () => {
    while (waiting.size() > 0) {
      const batch = waiting.first(batchMax);
      const done = await sendBatch(batch);
      done.forEach(waiting.delete);
      // What can't be removed is sent again after a restart, and counted once.
      store(() => storage.remove(done.map(({ id }) => id)));
      tools.onSent([...new Set(done.map(({ user }) => user))]);
      failures = 0;
    }
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= sendAll()
      .catch((error: unknown) => {
        failures += 1;
        if (!isUnreachable(error) || failures === 1) onError?.(error as Error);
        throw error;
      })
      .finally(() => {
        flushing = null;
        if (!isClosed && waiting.size() > 0) schedule();
      });
    return flushing;
  };

  const schedule = () => {
    if (timer !== undefined || flushing || isClosed) return;
    const waitMs = failures === 0 ? flushMs : Math.max(flushMs, backoff(failures, 60_000, random));
    timer = setTimeout(() => void flush().catch(() => undefined), waitMs);
    // Unsent usage alone doesn't keep a process running.
    if (typeof timer === "object") timer.unref?.();
  };

  if (waiting.size() > 0) schedule();

  return {
    size: waiting.size,
    has: waiting.has,
    amountOf: waiting.amountOf,
    /** Returns whether the event is kept. */
    add: (event: UsageEvent) => {
      if (waiting.has(event.id)) return true;
      if (waiting.size() >= bufferMax) {
        onError?.(new PurserError("buffer_full", "Too much usage is waiting to be sent."));
        return false;
      }
      waiting.add(event);
      // What can't be stored is still sent, unless the process ends before that.
      store(() => storage.add(event));
      tools.onAdded(event);
      if (waiting.size() >= batchMax && failures === 0) void flush().catch(() => undefined);
      else schedule();
      return true;
    },
    flush,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await flush().catch(() => undefined);
      return waiting.size();
    },
  };
};
