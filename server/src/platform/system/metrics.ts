import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { findVerification } from "../audit/log.ts";
import type { Db } from "../db/db.ts";
import type { Platform } from "../platform.ts";
import { type Counts, countMetrics } from "./counts.ts";
import { findQueues } from "./queries.ts";
import { version } from "./version.ts";

type Value = { labels?: Record<string, string>; value: number };

/** A number that is read from the database when the metrics are collected. */
export type Reading = {
  name: string;
  help: string;
  labelNames?: string[];
  read: (db: Db) => Promise<Value[]>;
};

const secondsSince = (at: Date | null | undefined) =>
  at ? Math.max(0, (Date.now() - at.getTime()) / 1000) : 0;

const queueStates = ["waiting", "later", "running", "failed"] as const;

/** Metrics that are collected together share what they read. */
const shared = <T>(read: (db: Db) => Promise<T>) => {
  let running: Promise<T> | null = null;
  return (db: Db) => {
    running ??= read(db).finally(() => {
      running = null;
    });
    return running;
  };
};

/** The numbers of the platform itself. */
const platformReadings = (
  readQueues = shared(findQueues),
  readVerification = shared(findVerification),
): Reading[] => [
  {
    name: "purser_jobs",
    help: "Jobs by queue and state: waiting, later (another attempt, or a set time), running, failed",
    labelNames: ["queue", "state"],
    read: async (db) =>
      (await readQueues(db)).flatMap((queue) =>
        queueStates.map((state) => ({
          labels: { queue: queue.name, state },
          value: queue[state],
        })),
      ),
  },
  {
    name: "purser_oldest_job_seconds",
    help: "Age of the oldest job that could run, by queue",
    labelNames: ["queue"],
    read: async (db) =>
      (await readQueues(db)).map(({ name, oldestWaitingAt }) => ({
        labels: { queue: name },
        value: secondsSince(oldestWaitingAt),
      })),
  },
  {
    name: "purser_audit_log_intact",
    help: "Whether the last verification of the audit log found no fault. 1 before the first",
    read: async (db) => [{ value: (await readVerification(db)).verified?.broken ? 0 : 1 }],
  },
  {
    name: "purser_audit_verified_seconds",
    help: "Time since the last verification of the audit log. 0 before the first",
    read: async (db) => [{ value: secondsSince((await readVerification(db)).verified?.at) }],
  },
];

/** Without the database these numbers are missing, but no others. */
const addReading = (registry: Registry, db: Db, { read, labelNames = [], ...about }: Reading) => {
  const gauge: Gauge = new Gauge({
    ...about,
    labelNames,
    registers: [registry],
    collect: async () => {
      gauge.reset();
      const values = await read(db).catch(() => null);
      if (!values && labelNames.length === 0) gauge.remove();
      for (const { labels = {}, value } of values ?? []) gauge.set(labels, value);
    },
  });
};

const addCounts = (registry: Registry, counts: Counts) => {
  for (const [key, { label, ...about }] of Object.entries(countMetrics)) {
    const counter: Counter = new Counter({
      ...about,
      labelNames: [label],
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const [value, times] of Object.entries(counts[key as keyof Counts]))
          counter.inc({ [label]: value }, times);
      },
    });
  }
};

const addPools = (registry: Registry, { pools }: Platform) => {
  const connections: Gauge = new Gauge({
    name: "purser_database_connections",
    help: "Connections of this process by pool and state. Waiting are requests without one",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect: () => {
      for (const name of ["checks", "writes", "reads"] as const) {
        const { totalCount, idleCount, waitingCount } = pools[name].pool;
        connections.set({ pool: name, state: "in use" }, totalCount - idleCount);
        connections.set({ pool: name, state: "idle" }, idleCount);
        connections.set({ pool: name, state: "waiting" }, waitingCount);
      }
    },
  });
};

/** The metrics of this process, those of the installation, and the duration of requests by route and status. */
export const createMetrics = (platform: Platform, readings: readonly Reading[] = []) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(platform.jobSeconds);
  const requests = new Histogram({
    name: "purser_http_request_seconds",
    help: "Response time by route",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: "purser_build_info",
    help: "1, with the version of this process",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version }, 1);
  addPools(registry, platform);
  addCounts(registry, platform.counts);
  for (const reading of [...platformReadings(), ...readings])
    addReading(registry, platform.db, reading);
  return { registry, requests };
};
export type Metrics = ReturnType<typeof createMetrics>;
