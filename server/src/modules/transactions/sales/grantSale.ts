import { addDays } from "#modules/billing/periods.ts";
import {
  endRightsOfOthers,
  endSubscription,
  endSubscriptionGrants,
  insertFeatureGrant,
  insertRight,
  insertSubscription,
  type Subscription,
  updateSubscription,
} from "#modules/billing/subscriptionQueries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { findSettings } from "#platform/settings.ts";
import { findSnapshot } from "../queries.ts";
import type { Offer, Plan } from "./sale.ts";

type Paid = { transactionId: string; userId: string; offer: Offer; plan: Plan; zone: string };

/** The rights of a period last for the days of grace beyond it; the next period's begin where it ends. */
export const accessOf = async (db: Db, end: Date, zone: string) =>
  addDays(end, (await findSettings(db)).graceDays, zone);

const giveFeaturesSql = statement(
  "transactions.giveFeatures",
  `select feature_id as "featureId", value, feature_days as days
   from promotions
   where kind = 'feature' and (id = any ($1::uuid[]) or feature_days is null and id in (
     select promotion_id from redemptions where subscription_id = $2 and returned_at is null))
   order by id`,
).present<"featureId">();

/**
 * Gives the features that promotions promised: for their days, or as long as what was bought. The latter belong
 * to the subscription, so that they end with its rights and each period brings them again.
 */
const giveFeatures = async (
  db: Db,
  { transactionId, userId, plan, zone }: Paid,
  subscriptionId: string | null,
) => {
  const bought = (await findSnapshot(db, transactionId))?.promotions ?? [];
  const promised = await run(db, giveFeaturesSql, [
    bought.map(({ promotionId }) => promotionId),
    subscriptionId,
  ]);
  const startsAt = plan.period?.start ?? plan.anchor;
  const lasting = plan.period && (await accessOf(db, plan.period.end, zone));
  for (const { days, featureId, value } of promised)
    await insertFeatureGrant(db, {
      userId,
      featureId,
      value,
      sourceId: transactionId,
      startsAt,
      subscriptionId: days === null ? subscriptionId : null,
      endsAt: days === null ? lasting : addDays(startsAt, days, zone),
    });
};

const giveLastingFeaturesSql = statement(
  "transactions.giveLastingFeatures",
  `select feature_id as "featureId", value from promotions
   where kind = 'feature' and feature_days is null and id in (
     select promotion_id from redemptions where subscription_id = $1 and returned_at is null)
   order by id`,
).present<"featureId">();

/**
 * Gives the features again that promotions promised for as long as the subscription lasts: for time that no payment of
 * its own brings, because it was left over or given.
 */
export const giveLastingFeatures = async (
  db: Db,
  { id, userId }: Pick<Subscription, "id" | "userId">,
  { sourceId, startsAt, endsAt }: { sourceId: string; startsAt: Date; endsAt: Date },
) => {
  const lasting = await run(db, giveLastingFeaturesSql, [id]);
  for (const { featureId, value } of lasting)
    await insertFeatureGrant(db, {
      userId,
      featureId,
      value,
      subscriptionId: id,
      sourceId,
      startsAt,
      endsAt,
    });
};

const startSubscription = async (db: Db, { transactionId, userId, offer, plan, zone }: Paid) => {
  const { period, anchor } = plan;
  if (!period) throw new Error("A subscription has a period.");
  const { packageId, group, versionId, priceId } = offer;
  const accessUntil = await accessOf(db, period.end, zone);
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
  // What was moved to them gives way to their own: it would end with the other's next payment.
  await endRightsOfOthers(db, { userId, packageId }, { at: period.start });
  await insertRight(db, {
    userId,
    packageId,
    versionId,
    subscriptionId,
    source: "transaction",
    sourceId: transactionId,
    startsAt: period.start,
    endsAt: accessUntil,
    // What is recorded late may reach back to where another subscription to it had not ended yet.
    isAfterOthers: true,
  });
  return subscriptionId;
};

/** The next period of a subscription: it begins where the last one ends, also when it is paid late. */
const addPeriod = async (
  db: Db,
  { transactionId, userId, offer, plan, zone }: Paid,
  { id, periodNumber }: Subscription,
) => {
  const { period, resumesAt } = plan;
  if (!period) throw new Error("A subscription has a period.");
  const { packageId, versionId, priceId } = offer;
  const accessUntil = await accessOf(db, period.end, zone);
  await endSubscriptionGrants(db, id, { at: period.start });
  // What was left when it was paused comes first.
  if (resumesAt) {
    const left = { sourceId: `resumed ${id}`, startsAt: resumesAt, endsAt: period.start };
    const right = { userId, packageId, versionId, subscriptionId: id, ...left };
    await insertRight(db, { ...right, source: "transaction" });
    await giveLastingFeatures(db, { id, userId }, left);
  }
  await insertRight(db, {
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

/** Ends what somebody has at a moment, and puts another package of the group in its place. */
const changePackage = async (db: Db, paid: Paid, current: Subscription) => {
  const at = paid.plan.period?.start ?? paid.plan.anchor;
  await endSubscription(db, current.id, { at });
  return startSubscription(db, paid);
};

/** What a sale that was paid gives: a subscription or its next period with its rights, or a right without end. */
export const grantSale = async (db: Db, paid: Paid) => {
  const { transactionId, userId, offer, plan } = paid;
  if (plan.makes === "right") {
    const { packageId, versionId } = offer;
    const right = { userId, packageId, versionId, subscriptionId: null, endsAt: null };
    const source = { source: "transaction" as const, sourceId: transactionId };
    await insertRight(db, { ...right, ...source, startsAt: plan.anchor });
    await giveFeatures(db, paid, null);
    return null;
  }
  const { current } = plan;
  const subscriptionId =
    plan.makes === "period" && current
      ? await addPeriod(db, paid, current)
      : plan.makes === "change" && current
        ? await changePackage(db, paid, current)
        : await startSubscription(db, paid);
  await giveFeatures(db, paid, subscriptionId);
  await run(
    db,
    `update transactions set subscription_id = $2, period_start = $3, period_end = $4 where id = $1`,
    [transactionId, subscriptionId, plan.period?.start, plan.period?.end],
  );
  await run(
    db,
    "update redemptions set subscription_id = $2 where transaction_id = $1 and returned_at is null",
    [transactionId, subscriptionId],
  );
  return subscriptionId;
};
