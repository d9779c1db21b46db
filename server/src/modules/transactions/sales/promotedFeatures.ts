import { accessEndOf } from "#modules/billing/gracePeriod.ts";
import { insertFeatureGrant } from "#modules/billing/grantQueries.ts";
import { addDays } from "#modules/billing/periods.ts";
import type { Subscription } from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { findSnapshot } from "../queries.ts";
import type { Plan } from "./plan.ts";
import { findLastingFeatures, findPromotedFeatures } from "./saleQueries.ts";

/**
 * Grants the features of a sale's promotions, for their days or for as long as the package. The latter belong
 * to the subscription, so they end with it and are granted again with each period.
 */
export const grantPromotedFeatures = async (
  db: Db,
  {
    transactionId,
    userId,
    plan,
    zone,
  }: { transactionId: string; userId: string; plan: Plan; zone: string },
  subscriptionId: string | null,
) => {
  const promotions = (await findSnapshot(db, transactionId))?.promotions ?? [];
  const promotionIds = promotions.map(({ promotionId }) => promotionId);
  const features = await findPromotedFeatures(db, promotionIds, subscriptionId);
  const startsAt = plan.period?.start ?? plan.anchor;
  const accessEnd = plan.period && (await accessEndOf(db, plan.period.end, zone));
  for (const { days, featureId, value } of features)
    await insertFeatureGrant(db, {
      userId,
      featureId,
      value,
      sourceId: transactionId,
      startsAt,
      subscriptionId: days === null ? subscriptionId : null,
      endsAt: days === null ? accessEnd : addDays(startsAt, days, zone),
    });
};

/** Grants lasting features for time without a payment of its own: after a pause, or added by the team. */
export const grantLastingFeatures = async (
  db: Db,
  { id, userId }: Pick<Subscription, "id" | "userId">,
  { sourceId, startsAt, endsAt }: { sourceId: string; startsAt: Date; endsAt: Date },
) => {
  for (const { featureId, value } of await findLastingFeatures(db, id))
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
