import { consumeUsage, recordUsage, reserveUsage } from "@purser/contract/usage/endpoints";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { CachedChecks } from "#modules/entitlements/explanation/cachedChecks.ts";
import { assertScope, type CallingKey } from "#platform/auth/apiKeys.ts";
import type { Db } from "#platform/db/db.ts";
import { serveInSteps } from "#platform/http/serve.ts";
import { findReservation } from "./queries.ts";
import { type AppCall, countUse, recordEvents } from "./record.ts";
import { openUsageWriter } from "./writer.ts";

/** Usage that sold apps report. */
export const usageRoutes = (app: FastifyInstance, checks: CachedChecks) => {
  const { company, pools } = app.platform;
  const write = openUsageWriter(pools.checks.db);
  type Call = { db: Db; key: CallingKey; now: Date; reply: FastifyReply };
  const appCall = ({ db, key, now, reply }: Call): AppCall => {
    assertScope(key, "usage:write");
    return {
      db,
      key,
      now,
      zone: company.current().timeZone,
      write,
      checks,
      noteCheck: (feature, checked) =>
        app.checkRecorder.record({ key, now, reply }, feature, checked),
    };
  };

  serveInSteps(app, recordUsage, async (call) => ({
    items: await recordEvents(appCall(call), call.body.events),
  }));

  serveInSteps(app, consumeUsage, async (call) => {
    const { check, result } = await countUse(appCall(call), call.body);
    return { ...check, result };
  });

  serveInSteps(app, reserveUsage, async (call) => {
    const { db, key, now, body } = call;
    const { seconds, ...use } = body;
    const expires = new Date(now.getTime() + seconds * 1000);
    const { check, reservation } = await countUse(appCall(call), use, expires);
    const stored = reservation && (await findReservation(db, reservation, key.appId));
    return { answer: check, reservation: stored || null };
  });
};
