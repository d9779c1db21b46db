import { accessEndAfter, accessEndOf } from "#modules/billing/gracePeriod.ts";
import { type GrantRow, insertFeatureGrant } from "#modules/billing/grantQueries.ts";
import type { Subscription } from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { addDays } from "#platform/periods.ts";
import { findSnapshot } from "../queries.ts";
import type { Plan } from "./plan.ts";
import type { Priced } from "./priceSale.ts";
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

type Promoted = { featureId: string; value: unknown; days: number | null };

const promotedOf = ({ redemptions }: Priced): Promoted[] =>
  redemptions.flatMap(({ promotion }) => (promotion.kind === "feature" ? [promotion] : []));

/** As `grantPromotedFeatures`, for a sale that isn't stored yet. */
export const promotedGrants = async (
  db: Db,
  priced: Priced,
  {
    plan: { period, anchor },
    continuedId,
    graceDays,
    zone,
  }: { plan: Plan; continuedId: string | null; graceDays: number; zone: string },
): Promise<GrantRow[]> => {
  const startsAt = period?.start ?? anchor;
  const accessEnd = period && accessEndAfter(period.end, graceDays, zone);
  const promotionIds = priced.redemptions.map(({ promotion }) => promotion.id);
  const features: readonly Promoted[] = continuedId
    ? await findPromotedFeatures(db, promotionIds, continuedId)
    : promotedOf(priced);
  return features.map(({ featureId, value, days }) => ({
    featureId,
    value,
    source: "promotion",
    startsAt,
    endsAt: days === null ? accessEnd : addDays(startsAt, days, zone),
    isOfSubscription: days === null,
  }));
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
