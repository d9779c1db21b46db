import { checksKeptDays } from "@purser/contract/integration/endpoints";
import { getFeatureOffer, getUserSummary } from "@purser/contract/users/summary";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { existing } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { findSettings } from "#platform/settings.ts";
import { payWith } from "../billing/credits.ts";
import { findRenewing } from "../billing/subscriptionQueries.ts";
import { checkMany } from "../entitlements/explanation/check.ts";
import { findDenials } from "../integration/figureQueries.ts";
import { findBalance } from "../ledger/queries.ts";
import { draftRenewals, type When } from "../subscriptions/due/planRenewals.ts";
import { findUser } from "../users/customers/queries.ts";
import { countRecords, findCurrency, findOffer, findProblems } from "./queries.ts";

/** The next renewal of a customer as it would be charged now, or null. */
const findNextPayment = async (db: Db, userId: string, when: When) => {
  const subscription = await findRenewing(db, userId);
  if (!subscription) return null;
  const [draft] = await draftRenewals(db, [subscription], when);
  if (!draft) return null;
  const { total, currency } = draft.renewal;
  const balance = draft.usesBalance ? await findBalance(db, userId, currency) : 0;
  return {
    at: subscription.periodEnd,
    package: draft.packageName,
    currency,
    total,
    ...payWith(total, { credited: 0, balance }),
  };
};

const dayMs = 86_400_000;

/** Features whose limit was reached when apps asked, and still is. */
const findReachedLimits = async (db: Db, userId: string, { now, zone }: When) => {
  const since = new Date(now.getTime() - checksKeptDays * dayMs);
  const denied = (await findDenials(db, userId, since)).filter(
    ({ reason }) => reason === "limit reached",
  );
  const reached = [];
  for (const [appId, own] of Map.groupBy(denied, ({ app }) => app.id)) {
    const questions = own.map(({ feature }) => ({ user: userId, feature: feature.code }));
    const checked = await checkMany(db, { appId, at: now, zone }, questions);
    for (const [place, { app, feature, count, lastAt }] of own.entries()) {
      const { reason, used, limit } = checked[place]?.answer ?? {};
      if (reason === "limit reached" && typeof used === "number" && typeof limit === "number")
        reached.push({
          app: { id: app.id, name: app.name },
          feature: { id: feature.id, name: feature.name },
          used,
          limit,
          denials: count,
          lastAt,
        });
    }
  }
  return reached;
};

export const customerSummaryRoutes = (app: FastifyInstance) => {
  serve(
    app,
    getFeatureOffer,
    async ({ db, params: { id }, query: { featureId }, session, now }) => {
      existing(await findUser(db, session, id), "user");
      const known = await findCurrency(db, id);
      const currency = known ?? (await findSettings(db)).currencies[0] ?? "";
      const offer = await findOffer(db, { userId: id, featureId, currency, now });
      return { offer: offer ?? null };
    },
  );

  serve(app, getUserSummary, async ({ db, params: { id }, session, now, paging: { zone } }) => {
    existing(await findUser(db, session, id), "user");
    return {
      nextPayment: await findNextPayment(db, id, { now, zone }),
      ...(await countRecords(db, id)),
      problems: await findProblems(db, id),
      limits: await findReachedLimits(db, id, { now, zone }),
    };
  });
};
