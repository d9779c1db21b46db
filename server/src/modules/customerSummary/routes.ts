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
import { countRecords, findCurrency, findOffer, findOverdue, findProblems } from "./queries.ts";

/** What each running subscription charges next. Only those that aren't overdue renew. */
const findRenewals = async (db: Db, userId: string, when: When) => {
  const running = await findRenewing(db, userId);
  const overdue = await findOverdue(db, userId);
  const drafts = await draftRenewals(db, running, when);
  return running.flatMap(({ id, status, periodEnd }, place) => {
    const draft = drafts[place];
    if (!draft) return [];
    const { currency, total } = draft.renewal;
    const isOverdue = status === "past due";
    const renewal = {
      subscriptionId: id,
      at: periodEnd,
      currency,
      total: overdue.get(id) ?? total,
      isOverdue,
    };
    return [{ renewal, draft }];
  });
};

type Renewal = Awaited<ReturnType<typeof findRenewals>>[number];

/** The next renewal of a customer as it would be charged now, or null. */
const nextPaymentOf = async (db: Db, userId: string, renewals: readonly Renewal[]) => {
  const next = renewals.find(({ renewal }) => !renewal.isOverdue);
  if (!next) return null;
  const { at, currency, total } = next.renewal;
  const balance = next.draft.usesBalance ? await findBalance(db, userId, currency) : 0;
  return {
    at,
    package: next.draft.packageName,
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
    const renewals = await findRenewals(db, id, { now, zone });
    return {
      nextPayment: await nextPaymentOf(db, id, renewals),
      renewals: renewals.map(({ renewal }) => renewal),
      ...(await countRecords(db, id)),
      problems: await findProblems(db, id),
      limits: await findReachedLimits(db, id, { now, zone }),
    };
  });
};
