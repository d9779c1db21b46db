import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

const windowMs = 60_000;
/** How often the instances exchange their counts. */
const settleMs = 1000;
/** Above this the oldest count is forgotten, so that a flood of made-up names can't use up the memory. */
const namesMax = 100_000;

/** `own` was counted here, `shared` by all instances at the last exchange, `added` here since then. */
type Count = { own: number; shared: number; added: number };

/** Hashed, because names contain IP addresses. */
const fieldOf = (name: string) =>
  createHash("sha256").update(name).digest("base64url").slice(0, 22);

const totalOf = ({ own, shared, added }: Count) => Math.max(own, shared + added);

type Settings = { redis: Redis; prefix: string; now: () => Date };

/**
 * Counts requests per minute in memory. Once a second the instances add up their counts in Redis with one round trip,
 * so no request waits for it. Without Redis each instance counts for itself.
 */
export const openRequestCounts = ({ redis, prefix, now }: Settings) => {
  let window = 0;
  let counts = new Map<string, Count>();
  let previous = new Map<string, Count>();

  const current = () => {
    const reached = Math.floor(now().getTime() / windowMs);
    if (reached === window) return counts;
    previous = reached === window + 1 ? counts : new Map();
    counts = new Map();
    window = reached;
    return counts;
  };

  const forgetOldest = (known: Map<string, Count>) => {
    const [oldest] = known.keys();
    if (known.size >= namesMax && oldest !== undefined) known.delete(oldest);
  };

  const exchange = async (fields: readonly (readonly [string, Count])[]) => {
    const key = `${prefix}requests:${window}`;
    const sent = fields.map(([, { added }]) => added);
    const batch = redis.pipeline();
    for (const [place, [name]] of fields.entries())
      batch.hincrby(key, fieldOf(name), sent[place] ?? 0);
    batch.pexpire(key, 2 * windowMs);
    const replies = (await batch.exec()) ?? [];
    for (const [place, [, count]] of fields.entries()) {
      const [error, total] = replies[place] ?? [];
      if (error || typeof total !== "number") continue;
      count.added -= sent[place] ?? 0;
      count.shared = total;
    }
  };

  let settling: Promise<void> | null = null;
  const settle = () => {
    const fields = [...current()].filter(([, { added }]) => added > 0);
    if (fields.length > 0)
      settling ??= exchange(fields)
        // Without Redis the counts of this instance apply, and the next exchange sends them.
        .catch(() => undefined)
        .finally(() => {
          settling = null;
        });
    return settling ?? Promise.resolve();
  };
  const timer = setInterval(() => void settle(), settleMs).unref();

  return {
    /** Counts a request and returns how many there were in this minute. */
    add: (name: string) => {
      const known = current();
      const count = known.get(name) ?? { own: 0, shared: 0, added: 0 };
      if (!known.has(name)) forgetOldest(known);
      known.set(name, count);
      count.own += 1;
      count.added += 1;
      return totalOf(count);
    },
    countOf: (name: string) => {
      const count = current().get(name);
      return count ? totalOf(count) : 0;
    },
    /** Whether this instance counted such a request in this minute or the one before. */
    isKnown: (name: string) => current().has(name) || previous.has(name),
    forget: (name: string) => {
      current().delete(name);
      previous.delete(name);
    },
    secondsLeft: () => Math.max(1, Math.ceil(((window + 1) * windowMs - now().getTime()) / 1000)),
    settle,
    close: () => clearInterval(timer),
  };
};
