import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { isMigrated } from "../db/migrate.ts";

type Check = "ok" | "failed" | "degraded";

/** `healthz`: the process answers. `readyz`: it can do its work. Without Redis it is degraded, not down. */
export const healthRoutes = (app: FastifyInstance) => {
  const { pools, announcements } = app.platform;
  const { db } = pools.checks;
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  const anyone = { config: { permission: "anyone" as const } };

  app.get("/healthz", anyone, async () => ({ status: "ok" }));

  app.get("/readyz", anyone, async (_request, reply) => {
    const attempt = async (work: Promise<unknown>, otherwise: Check): Promise<Check> =>
      work.then((good) => (good === false ? otherwise : "ok")).catch(() => otherwise);
    const [database, migrations, redis] = await Promise.all([
      attempt(sql`select 1`.execute(db), "failed"),
      attempt(isMigrated(db), "failed"),
      attempt(announcements.redis.ping(), "degraded"),
    ]);
    const ready = !closing && database === "ok" && migrations === "ok";
    reply.code(ready ? 200 : 503);
    return {
      status: ready ? "ready" : closing ? "closing" : "not ready",
      database,
      migrations,
      redis,
    };
  });
};
