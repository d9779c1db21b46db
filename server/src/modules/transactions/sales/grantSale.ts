import { insertFeatureGrant, insertGrant } from "#modules/billing/grantQueries.ts";
import { insertSubscription } from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { findSettings } from "#platform/settings.ts";
import { setLinePeriod } from "../lines/lineQueries.ts";
import { continuePromotions } from "./continuing.ts";
import type { Item } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import { prepareAccess } from "./prepareAccess.ts";
import { grantPromotedFeatures } from "./promotedFeatures.ts";
import { setSubscription } from "./saleQueries.ts";
import type { Access } from "./writeSaleQueries.ts";

type Stored = { transactionId: string; lineId: string; userId: string };

/** Inserts what a line of a stored sale gives. Returns its subscription. */
const insertAccess = async (
  db: Db,
  { continuedId, starts, grants }: Access,
  { transactionId, lineId, userId }: Stored,
) => {
  const subscriptionId =
    continuedId ?? (starts && (await insertSubscription(db, { userId, ...starts })));
  for (const { source, sourceId = transactionId, isOfSubscription, ...grant } of grants) {
    const { packageId, versionId, featureId, value, ...time } = grant;
    const shared = { ...time, userId, sourceId };
    const own = { ...shared, subscriptionId: isOfSubscription ? subscriptionId : null };
    if (featureId !== undefined) await insertFeatureGrant(db, { ...own, featureId, value });
    else if (source !== "promotion" && packageId && versionId)
      await insertGrant(db, { ...own, packageId, versionId, lineId, source });
  }
  return subscriptionId;
};

type PaidSale = {
  transactionId: string;
  userId: string;
  sold: readonly (Item & { lineId: string })[];
  /** One for each line. */
  plans: readonly Plan[];
  zone: string;
};

/** Links the promotions that continue to the subscriptions that replace others. */
export const continueReplaced = async (
  db: Db,
  { items, plans }: { items: readonly Item[]; plans: readonly Plan[] },
  subscriptionIds: readonly (string | null)[],
) => {
  for (const [place, { makes, current }] of plans.entries()) {
    const [toId, item] = [subscriptionIds[place], items[place]];
    if (makes !== "change" || !current || !toId || !item) continue;
    await continuePromotions(db, { fromId: current.id, toId, offer: item.offer });
  }
};

/**
 * Grants what a stored sale that is paid now has sold. Returns the subscription of the first line. A sale that is paid
 * when it is recorded is written with everything that it grants instead.
 */
export const grantSale = async (db: Db, { transactionId, userId, sold, plans, zone }: PaidSale) => {
  const { graceDays } = await findSettings(db);
  const terms = { transactionId, userId, zone, graceDays, hasTransferredGrants: true };
  const subscriptionIds = [];
  for (const [place, { lineId, ...item }] of sold.entries()) {
    const plan = plans[place] as Plan;
    const access = await prepareAccess(db, { ...item, ...terms, plan });
    const id = await insertAccess(db, access, { transactionId, lineId, userId });
    if (id !== null) await setLinePeriod(db, lineId, { subscriptionId: id, period: plan.paid });
    subscriptionIds.push(id);
  }
  await continueReplaced(db, { items: sold, plans }, subscriptionIds);
  const [subscriptionId = null] = subscriptionIds;
  const plan = plans[0] as Plan;
  await grantPromotedFeatures(db, { transactionId, userId, plan, zone }, subscriptionId);
  if (subscriptionId !== null)
    await setSubscription(db, transactionId, { subscriptionId, period: plan.period });
  return subscriptionId;
};
