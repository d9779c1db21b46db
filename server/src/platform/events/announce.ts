import type { Change } from "@purser/contract/events";
import { Redis } from "ioredis";
import type { Logger } from "../log.ts";

/**
 * Tells every instance what was saved. Best effort on purpose: a missed announcement costs a screen a
 * later refresh and nothing else, so a save never waits for Redis or fails with it.
 */
export const openAnnouncements = (url: string, prefix: string, log: Logger) => {
  const channel = `${prefix}changes`;
  const options = { maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: true };
  const publisher = new Redis(url, options);
  const subscriber = new Redis(url, { ...options, enableOfflineQueue: true });
  const listeners = new Set<(changes: Change[]) => void>();

  // Once per outage: a client tries again every few seconds and would fill the log.
  let reachable = true;
  const note = (now: boolean) => {
    if (now !== reachable)
      log.warn(
        now
          ? "Redis is back."
          : "Redis is out of reach (REDIS_URL): screens of others refresh late, floods are not limited.",
      );
    reachable = now;
  };
  for (const client of [publisher, subscriber])
    client.on("error", () => note(false)).on("ready", () => note(true));
  subscriber.on("message", (_channel, message) => {
    const changes = JSON.parse(message) as Change[];
    for (const listener of listeners) listener(changes);
  });

  return {
    redis: publisher,
    start: async () => {
      await Promise.all([publisher.connect(), subscriber.connect()]).catch(() => undefined);
      await subscriber.subscribe(channel).catch(() => undefined);
    },
    announce: async (changes: Change[]) => {
      if (changes.length === 0) return;
      await publisher.publish(channel, JSON.stringify(changes)).catch(() => undefined);
    },
    listen: (listener: (changes: Change[]) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
};
export type Announcements = ReturnType<typeof openAnnouncements>;
