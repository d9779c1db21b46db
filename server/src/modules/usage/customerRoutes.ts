import { isCounted } from "@purser/contract/fields/values";
import { correctUsage, exportAppUsage, getUsage } from "@purser/contract/usage/endpoints";
import { getFeatureUsage } from "@purser/contract/usage/featureUsage";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { findApp } from "#modules/apps/queries.ts";
import { lockCustomerFor, readRecord } from "#modules/entitlements/customerQueries.ts";
import { findWindows } from "#modules/entitlements/explanation/counterQueries.ts";
import { always } from "#modules/entitlements/explanation/windows.ts";
import { findFeature } from "#modules/features/queries.ts";
import { existing, invalidAt } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveFile } from "#platform/lists/export.ts";
import { message } from "#platform/messages.ts";
import { localDateOf } from "#platform/periods.ts";
import { findUsageOfFeature } from "./featureQueries.ts";
import { usagePeriodOf } from "./period.ts";
import { correctUse, findFeatureOfApp, findUsageOfCustomer, usageOfApp } from "./queries.ts";
import { notCounted } from "./refusals.ts";

const usageRow = z.object({
  day: z.string(),
  feature: z.string(),
  customerId: z.uuid(),
  externalId: z.string().nullable(),
  email: z.string(),
  name: z.string(),
  used: z.int(),
});

/** What the team sees of usage, and corrects of a customer's. */
export const customerUsageRoutes = (app: FastifyInstance) => {
  const zoneNow = () => app.platform.company.current().timeZone;

  serve(app, getUsage, async ({ db, params, query, session, now }) => {
    const customer = await readRecord(db, params.id, session);
    const { from, to } = usagePeriodOf(query, now, zoneNow());
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

  serve(app, getFeatureUsage, async ({ db, params, query, now }) => {
    const { id } = existing(await findFeature(db, params.id), "feature");
    const { from, to } = usagePeriodOf(query, now, zoneNow());
    return { from, to, ...(await findUsageOfFeature(db, id, from, to)) };
  });

  serveFile(app, exportAppUsage, "usage", async ({ db, params, query, now }) => {
    const { id: appId } = existing(await findApp(db, params.id), "app");
    const featureId =
      query.feature === undefined
        ? null
        : existing(await findFeatureOfApp(db, appId, query.feature), "featureOfApp").id;
    return {
      ...usageOfApp({ appId, featureId, ...usagePeriodOf(query, now, zoneNow()) }),
      columns: Object.keys(usageRow.shape),
      row: usageRow,
    };
  });

  serve(app, correctUsage, async ({ db, params, body, session, now }) => {
    const customer = await lockCustomerFor(db, session, { userId: params.id });
    const feature = existing(await findFeature(db, body.featureId), "feature");
    if (!isCounted(feature)) throw notCounted();
    const zone = zoneNow();
    const [window = always] = await findWindows(
      db,
      [{ customer: customer.id, feature, at: now }],
      zone,
    );
    const used = await correctUse(
      db,
      {
        userId: customer.id,
        feature,
        window,
        amount: body.amount,
        reason: body.reason,
        day: localDateOf(now, zone),
      },
      now,
    );
    if (used === null)
      throw invalidAt(
        "/amount",
        message("usage_below_zero", "The customer hasn't used this much. Enter a smaller amount."),
      );
    return { used };
  });
};
