import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { isMigrated } from "../db/migrate.ts";
import type { Platform } from "../platform.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether the server wants no more requests. It still answers those that arrive. */
    shutdown: { hasBegun: boolean };
  }
  interface FastifyContextConfig {
    /** Instead of the answer that the server is busy. */
    pressureHandler?: () => void;
  }
}

type Check = "ok" | "failed" | "degraded";

const attempt = (work: Promise<unknown>, otherwise: Check): Promise<Check> =>
  work.then((good): Check => (good === false ? otherwise : "ok")).catch(() => otherwise);

/** Whether a process can do its work. Without Redis it is degraded, not down. */
export const checkParts = async ({ pools, announcements }: Platform) => {
  const { db } = pools.checks;
  const [database, migrations, redis] = await Promise.all([
    attempt(sql`select 1`.execute(db), "failed"),
    attempt(isMigrated(db), "failed"),
    attempt(announcements.redis.ping(), "degraded"),
  ]);
  return { isReady: database === "ok" && migrations === "ok", database, migrations, redis };
};

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

/**
 * `healthz`: the process answers, however late, because a restart would only add to the load. `readyz`: it should get
 * requests.
 */
export const healthRoutes = (app: FastifyInstance) => {
  const lateFor = watchDelay(app);
  const anyone = { config: { permission: "anyone" as const, pressureHandler: () => undefined } };

  app.get("/healthz", anyone, async () => ({ status: "ok" }));

  app.get("/readyz", anyone, async (_request, reply) => {
    const { isReady, ...parts } = await checkParts(app.platform);
    const isBusy = lateFor() >= lateMs;
    const status = app.shutdown.hasBegun
      ? "closing"
      : !isReady
        ? "not ready"
        : isBusy
          ? "busy"
          : "ready";
    reply.code(status === "ready" ? 200 : 503);
    return { status, ...parts };
  });
};
