import { change } from "@purser/contract/workspace/liveChanges";
import { Redis } from "ioredis";
import { z } from "zod";
import type { Logger } from "../log.ts";
import { keepRecentChanges } from "./recentChanges.ts";

const madeChange = change.omit({ own: true }).extend({ by: z.string().nullish() });
/** A change with the user who made it, whose own pages don't announce it. */
export type MadeChange = z.output<typeof madeChange>;

const changesOnTheWire = z.array(madeChange);

/** Invalid messages on the channel must not crash this process. */
const readChanges = (message: string): MadeChange[] => {
  try {
    return changesOnTheWire.parse(JSON.parse(message));
  } catch {
    return [];
  }
};

/** How many changes an instance keeps that it couldn't announce. */
const unsentMax = 1000;

/**
 * Announces changes to every instance. Best effort on purpose: a lost announcement only delays the refresh of a screen,
 * so a save never waits for Redis or fails with it. What couldn't be sent follows once Redis is reachable.
 */
export const openAnnouncements = (url: string, prefix: string, log: Logger) => {
  const channel = `${prefix}changes`;
  const options = {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    lazyConnect: true,
    commandTimeout: 500,
  };
  const publisher = new Redis(url, options);
  const subscriber = new Redis(url, {
    ...options,
    enableOfflineQueue: true,
    connectionName: channel,
  });
  const listeners = new Set<(changes: MadeChange[]) => void>();
  const localListeners: ((changes: MadeChange[]) => void)[] = [];
  const recent = keepRecentChanges<MadeChange>();
  const gapListeners = new Set<() => void>();

  // Once per outage: a client retries every few seconds and would fill the log.
  let reachable = true;
  const note = (now: boolean) => {
    if (now !== reachable)
      log.warn(
        now
          ? "Redis is reachable again."
          : "Redis is unreachable (REDIS_URL). Open pages refresh late, and each instance applies rate limits to its own requests.",
      );
    reachable = now;
  };
  for (const client of [publisher, subscriber])
    client.on("error", () => note(false)).on("ready", () => note(true));
  subscriber.on("message", (_channel, message) => {
    const changes = readChanges(message);
    recent.add(changes);
    for (const listener of listeners) listener(changes);
  });
  let unsent: MadeChange[] = [];
  const publish = async (changes: MadeChange[]) => {
    const all = [...unsent, ...changes];
    unsent = [];
    if (all.length === 0) return;
    await publisher.publish(channel, JSON.stringify(all)).catch(() => {
      unsent = [...all, ...unsent].slice(-unsentMax);
    });
  };
  publisher.on("ready", () => void publish([]));
  const subscribe = async () => {
    await subscriber.subscribe(channel);
    recent.start();
    for (const listener of gapListeners) listener();
  };
  // Also if Redis was down at the start.
  subscriber.on("ready", () => void subscribe().catch(() => undefined));

  return {
    redis: publisher,
    start: async () => {
      await Promise.all([publisher.connect(), subscriber.connect()]).catch(() => undefined);
    },
    announce: async (changes: MadeChange[]) => {
      if (changes.length === 0) return;
      for (const listener of localListeners) listener(changes);
      await publish(changes);
    },
    listen: (listener: (changes: MadeChange[]) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    since: recent.since,
    /** Redis is reachable again, and announcements may have been lost. */
    onGap: (listener: () => void) => {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    /** Learns what this process changes, before the change is answered. */
    listenHere: (listener: (changes: MadeChange[]) => void) => void localListeners.push(listener),
    stop: () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
};
export type Announcements = ReturnType<typeof openAnnouncements>;
