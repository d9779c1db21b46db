import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { instanceRoles } from "@purser/contract/workspace/system";
import { z } from "zod";
import type { Platform } from "../platform.ts";
import { version } from "./version.ts";

const everyMs = 10_000;
/** An instance that was killed is shown for this long. */
const goneMs = 35_000;

const reported = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(instanceRoles),
  version: z.string(),
  startedAt: z.coerce.date(),
  seenAt: z.coerce.date(),
  requestsPerSecond: z.number(),
  cpuPercent: z.number(),
  memoryBytes: z.int(),
  status: z.enum(["ready", "closing"]),
});
type Reported = z.output<typeof reported>;

/** The same processes serve both modes. */
const keyOf = ({ redisPrefix, testMode }: Platform) =>
  `${testMode?.redisPrefixOfLive ?? redisPrefix}instances`;

type Process = {
  role: Reported["role"];
  /** The number of requests since the start. */
  requests: () => number;
  isClosing: () => boolean;
};

/** Reports this process to the System page, until it is stopped. Without Redis it isn't shown. */
export const reportInstance = (platform: Platform, { role, requests, isClosing }: Process) => {
  const { redis } = platform.announcements;
  const id = randomUUID();
  const startedAt = new Date();
  let last = { at: performance.now(), requests: requests(), cpu: process.cpuUsage() };
  const look = (): Reported => {
    const now = { at: performance.now(), requests: requests(), cpu: process.cpuUsage() };
    const seconds = Math.max((now.at - last.at) / 1000, 0.001);
    const used = now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system;
    const perSecond = (now.requests - last.requests) / seconds;
    last = now;
    return {
      id,
      name: `${hostname()} ${process.pid}`,
      role,
      version,
      startedAt,
      seenAt: new Date(),
      requestsPerSecond: Math.round(perSecond * 10) / 10,
      cpuPercent: Math.round(used / seconds / 10_000),
      memoryBytes: process.memoryUsage.rss(),
      status: isClosing() ? "closing" : "ready",
    };
  };
  const report = () =>
    redis.hset(keyOf(platform), id, JSON.stringify(look())).catch(() => undefined);
  const timer = setInterval(report, everyMs);
  timer.unref();
  void report();
  return {
    report,
    stop: async () => {
      clearInterval(timer);
      await redis.hdel(keyOf(platform), id).catch(() => undefined);
    },
  };
};

const readReport = (text: string) => {
  try {
    return reported.parse(JSON.parse(text));
  } catch {
    // Of another version of Purser.
    return null;
  }
};

const order = (a: Reported, b: Reported) =>
  a.role.localeCompare(b.role) || a.name.localeCompare(b.name);

/** The instances that reported themselves lately. Null if Redis can't be reached. */
export const findInstances = async (platform: Platform) => {
  const { redis } = platform.announcements;
  const stored = await redis.hgetall(keyOf(platform)).catch(() => null);
  if (!stored) return null;
  const since = Date.now() - goneMs;
  const all = Object.entries(stored).map(([id, text]) => ({ id, report: readReport(text) }));
  const gone = all.filter(({ report }) => !report || report.seenAt.getTime() < since);
  if (gone.length > 0)
    await redis.hdel(keyOf(platform), ...gone.map(({ id }) => id)).catch(() => undefined);
  return all
    .flatMap(({ report }) => (report && report.seenAt.getTime() >= since ? [report] : []))
    .sort(order);
};
