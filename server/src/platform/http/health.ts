import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { type Db, first } from "../db/db.ts";
import { isMigrated } from "../db/migrate.ts";
import { statement } from "../db/statement.ts";
import type { Platform } from "../platform.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether the server wants no more requests. It still answers those that arrive. */
    shutdown: {
      hasBegun: boolean;
      /** Streams that begin from now on end at once. */
      endsStreams: boolean;
    };
    /** Whether test mode is open, if it is configured. */
    testModeState: (() => "ok" | "unavailable" | "misconfigured") | null;
    /** Whether checks of apps can be answered without the database. */
    memory: { canAnswer: (now: Date) => boolean };
  }
  interface FastifyContextConfig {
    /** Instead of the answer that the server is busy. */
    pressureHandler?: () => void;
  }
}

/** Unreachable also means that it doesn't answer in time. */
type Database = "ok" | "read only" | "unreachable";
type Parts = {
  database: Database;
  /** Unknown while the database can't be reached. */
  migrations: "ok" | "failed" | "unknown";
  redis: "ok" | "degraded";
};

const late = Symbol("late");

const isReadOnlySql = statement(
  "health.isReadOnly",
  `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
);

const databaseOf = async (db: Db): Promise<Pick<Parts, "database" | "migrations">> => {
  const found = await first(db, isReadOnlySql);
  const isComplete = await isMigrated(db).catch(() => false);
  return {
    database: found?.isReadOnly ? "read only" : "ok",
    migrations: isComplete ? "ok" : "failed",
  };
};

/** What a process needs. Without Redis it is degraded, not down. */
export const checkParts = async (
  { pools, announcements }: Platform,
  waitMs?: number,
): Promise<Parts> => {
  const timeout = new AbortController();
  const found = databaseOf(pools.checks.db).catch(() => late);
  const tooLate =
    waitMs === undefined
      ? []
      : [setTimeout(waitMs, late, { signal: timeout.signal }).catch(() => late)];
  const [database, redis] = await Promise.all([
    Promise.race([found, ...tooLate]).finally(() => timeout.abort()),
    announcements.redis.ping().then(
      () => "ok" as const,
      () => "degraded" as const,
    ),
  ]);
  return typeof database === "symbol"
    ? { database: "unreachable", migrations: "unknown", redis }
    : { ...database, redis };
};

/** Whether a process can do all of its work. */
export const isComplete = ({ database, migrations }: Parts) =>
  database === "ok" && migrations === "ok";

// A short peak is normal. Without its instance the others would have even more to do.
const lateMs = 10_000;

/** Tells how long the event loop has been late, in milliseconds. */
const watchDelay = (app: FastifyInstance) => {
  const { OVERLOAD_DELAY_MS: most } = app.platform.config;
  let lateSince: number | null = null;
  const look = () => {
    const isLate = most > 0 && app.memoryUsage().eventLoopDelay > most;
    lateSince = isLate ? (lateSince ?? performance.now()) : null;
  };
  const timer = setInterval(look, 1000);
  timer.unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return () => (lateSince === null ? 0 : performance.now() - lateSince);
};

// Shorter than the time-outs of load balancers.
const databaseMsMax = 1000;

/**
 * With a read-only database, lists and checks are answered. Without it, only checks, by the instances that remember
 * answers, so a load balancer must not remove these.
 */
const statusOf = (parts: Parts, canAnswer: boolean) => {
  if (isComplete(parts)) return "ready";
  if (parts.database === "unreachable") return canAnswer ? "degraded" : "not ready";
  return parts.migrations === "ok" ? "degraded" : "not ready";
};

/**
 * `healthz`: the process answers, however late, because a restart would only add to the load. `readyz`: it should get
 * requests.
 */
export const healthRoutes = (app: FastifyInstance) => {
  const lateFor = watchDelay(app);
  const anyone = { config: { permission: "anyone" as const, pressureHandler: () => undefined } };

  app.get("/healthz", anyone, async () => ({ status: "ok" }));

  app.get("/readyz", anyone, async (_request, reply) => {
    const { platform, memory, shutdown, testModeState } = app;
    const canAnswer = memory.canAnswer(platform.now());
    const parts = await checkParts(platform, canAnswer ? databaseMsMax : undefined);
    const usual = statusOf(parts, canAnswer);
    const isReady = usual !== "not ready";
    const isBusy = lateFor() >= lateMs;
    const status = shutdown.hasBegun ? "closing" : isReady && isBusy ? "busy" : usual;
    reply.code(status === "ready" || status === "degraded" ? 200 : 503);
    // Live doesn't depend on it.
    return { status, ...parts, ...(testModeState && { testMode: testModeState() }) };
  });
};
