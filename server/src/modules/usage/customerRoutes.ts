import { isCounted } from "@purser/contract/fields/values";
import { correctUsage, getUsage } from "@purser/contract/usage/endpoints";
import type { FastifyInstance } from "fastify";
import { lockCustomerFor, readRecord } from "#modules/entitlements/customerQueries.ts";
import { windowAt } from "#modules/entitlements/explanation/windows.ts";
import { findFeature } from "#modules/features/queries.ts";
import { existing, invalidAt } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { addDays, localDateOf } from "#platform/periods.ts";
import { correctUse, findUsageOfCustomer } from "./queries.ts";
import { notCounted } from "./refusals.ts";

/** What the team sees and corrects of a customer's usage. */
export const customerUsageRoutes = (app: FastifyInstance) => {
  const zoneNow = () => app.platform.company.current().timeZone;

  serve(app, getUsage, async ({ db, params, query, session, now }) => {
    const customer = await readRecord(db, params.id, session);
    const to = query.to ?? localDateOf(now, zoneNow());
    const from = query.from ?? localDateOf(addDays(now, -29, zoneNow()), zoneNow());
    const rows = await findUsageOfCustomer(db, customer.id, from, to);
    return {
      from,
      to,
      items: rows.map(
        ({ id, code, name, unitOne, unitMany, appId, appName, appIcon, used, days }) => ({
          feature: {
            id,
            code,
            name,
            unit: unitOne === null || unitMany === null ? null : { one: unitOne, many: unitMany },
          },
          app: { id: appId, name: appName, icon: appIcon },
          used,
          days,
        }),
      ),
    };
  });

  serve(app, correctUsage, async ({ db, params, body, session, now }) => {
    const customer = await lockCustomerFor(db, session, { userId: params.id });
    const feature = existing(await findFeature(db, body.featureId), "feature");
    if (!isCounted(feature)) throw notCounted();
    const used = await correctUse(
      db,
      {
        userId: customer.id,
        featureId: feature.id,
        windowStart: windowAt(feature, now, zoneNow()).start,
        amount: body.amount,
        reason: body.reason,
        day: localDateOf(now, zoneNow()),
      },
      now,
    );
    if (used === undefined)
      throw invalidAt(
        "/amount",
        message("usage_below_zero", "The customer hasn't used this much. Enter a smaller amount."),
      );
    return { used };
  });
};
