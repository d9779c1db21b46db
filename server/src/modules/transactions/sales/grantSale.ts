import { accessEndOf } from "#modules/billing/gracePeriod.ts";
import {
  endSubscriptionGrants,
  endTransferredGrants,
  insertGrant,
} from "#modules/billing/grantQueries.ts";
import {
  endSubscription,
  insertSubscription,
  type Subscription,
  updateSubscription,
} from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import type { Offer } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import { grantLastingFeatures, grantPromotedFeatures } from "./promotedFeatures.ts";
import { setSubscription } from "./saleQueries.ts";

type Paid = { transactionId: string; userId: string; offer: Offer; plan: Plan; zone: string };

const startSubscription = async (db: Db, { transactionId, userId, offer, plan, zone }: Paid) => {
  const { period, anchor } = plan;
  if (!period) throw new Error("The plan of a subscription has no period.");
  const { packageId, group, versionId, priceId } = offer;
  const accessUntil = await accessEndOf(db, period.end, zone);
  const subscriptionId = await insertSubscription(db, {
    userId,
    packageId,
    group,
    versionId,
    priceId,
    status: "active",
    anchor,
    periodStart: period.start,
    periodEnd: period.end,
    accessUntil,
  });
  // A transferred grant would end with the other customer's next payment, so their own replaces it.
  await endTransferredGrants(db, { userId, packageId }, { at: period.start });
  await insertGrant(db, {
    userId,
    packageId,
    versionId,
    subscriptionId,
    source: "transaction",
    sourceId: transactionId,
    startsAt: period.start,
    endsAt: accessUntil,
    // A sale recorded late may start before an earlier subscription to the package ended.
    isAfterOthers: true,
  });
  return subscriptionId;
};

/** The next period starts where the last one ends, even if it is paid late. */
const addPeriod = async (
  db: Db,
  { transactionId, userId, offer, plan, zone }: Paid,
  { id, periodNumber }: Subscription,
) => {
  const { period, resumesAt } = plan;
  if (!period) throw new Error("The plan of a subscription has no period.");
  const { packageId, versionId, priceId } = offer;
  const accessUntil = await accessEndOf(db, period.end, zone);
  await endSubscriptionGrants(db, id, { at: period.start });
  // The rest of the paused period comes first.
  if (resumesAt) {
    const left = { sourceId: `resumed ${id}`, startsAt: resumesAt, endsAt: period.start };
    const grant = { userId, packageId, versionId, subscriptionId: id, ...left };
    await insertGrant(db, { ...grant, source: "transaction" });
    await grantLastingFeatures(db, { id, userId }, left);
  }
  await insertGrant(db, {
    userId,
    packageId,
    versionId,
    subscriptionId: id,
    source: "transaction",
    sourceId: transactionId,
    startsAt: period.start,
    endsAt: accessUntil,
  });
  await updateSubscription(db, id, {
    versionId,
    priceId,
    status: "active",
    periodNumber: periodNumber + 1,
    nextVersionId: null,
    periodStart: period.start,
    periodEnd: period.end,
    accessUntil,
  });
  return id;
};

/** Ends the current subscription and starts one to another package of its group. */
const changePackage = async (db: Db, paid: Paid, current: Subscription) => {
  const at = paid.plan.period?.start ?? paid.plan.anchor;
  await endSubscription(db, current.id, { at });
  return startSubscription(db, paid);
};

/** Turns a paid sale into a new subscription, the next period of one, or a grant without an end. */
export const grantSale = async (db: Db, paid: Paid) => {
  const { transactionId, userId, offer, plan } = paid;
  if (plan.makes === "grant") {
    const { packageId, versionId } = offer;
    const grant = { userId, packageId, versionId, subscriptionId: null, endsAt: null };
    const source = { source: "transaction" as const, sourceId: transactionId };
    await insertGrant(db, { ...grant, ...source, startsAt: plan.anchor });
    await grantPromotedFeatures(db, paid, null);
    return null;
  }
  const { current } = plan;
  const subscriptionId =
    plan.makes === "period" && current
      ? await addPeriod(db, paid, current)
      : plan.makes === "change" && current
        ? await changePackage(db, paid, current)
        : await startSubscription(db, paid);
  await grantPromotedFeatures(db, paid, subscriptionId);
  await setSubscription(db, transactionId, { subscriptionId, period: plan.period });
  return subscriptionId;
};
