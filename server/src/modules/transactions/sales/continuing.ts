import type { Message } from "@purser/contract/messages/message";
import {
  type Discount,
  isDiscount,
  type Promotion,
  refusalToContinue,
} from "#modules/promotions/pricing/conditions.ts";
import { isLasting } from "#modules/promotions/pricing/pricing.ts";
import { type Considered, findRedeemedPromotions } from "#modules/promotions/pricing/queries.ts";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import type { Offer } from "./offerQueries.ts";
import { countPayments, moveRedemption } from "./saleQueries.ts";

type Redeemed = Promotion & { since: number };

const lasts = (promotion: Redeemed, payment: number) =>
  isDiscount(promotion)
    ? isLasting(promotion, payment)
    : promotion.kind === "feature" && promotion.days === null;

const continuesMessage = ({ name }: Promotion) =>
  message("promotion_continues", "{promotion} continues.", { promotion: name });

const endMessages: Record<
  NonNullable<ReturnType<typeof refusalToContinue>>,
  (name: string) => Message
> = {
  package: (promotion) =>
    message(
      "promotion_ends_package",
      "{promotion} ends, because it doesn't apply to the new package.",
      {
        promotion,
      },
    ),
  interval: (promotion) =>
    message(
      "promotion_ends_interval",
      "{promotion} ends, because it doesn't apply to the new billing period.",
      { promotion },
    ),
  currency: (promotion) =>
    message(
      "promotion_ends_currency",
      "{promotion} ends, because it has no amount in the new currency.",
      {
        promotion,
      },
    ),
};

/** A promotion that was redeemed before applies again, whatever its limits and dates are now. */
const asConsidered = (promotion: Discount): Considered => ({
  codeId: null,
  code: null,
  isContinuing: true,
  promotion: {
    ...promotion,
    isPublished: true,
    pausedAt: null,
    archivedAt: null,
    startsAt: null,
    endsAt: null,
    redemptionLimit: null,
    redemptionLimitPerCustomer: null,
    minimum: {},
    budgets: {},
    audience: "anyone",
    code: null,
  },
});

/**
 * The promotions of a subscription that still last, and whether they continue in another package. `adjust` adds
 * those that do to the promotions that the price of a change considers.
 */
export const continuingPromotions = async (db: Db, subscriptionId: string, offer: Offer) => {
  const payments = await countPayments(db, subscriptionId);
  const lasting = (await findRedeemedPromotions(db, subscriptionId)).filter((one) =>
    lasts(one, payments + 1),
  );
  const promotions = lasting.map((promotion) => {
    const refusal = refusalToContinue(promotion, offer);
    return {
      name: promotion.name,
      continues: refusal === null,
      message: refusal ? endMessages[refusal](promotion.name) : continuesMessage(promotion),
    };
  });
  const kept = lasting
    .filter((promotion) => refusalToContinue(promotion, offer) === null)
    .filter((promotion): promotion is Redeemed & Discount => isDiscount(promotion))
    .map(asConsidered);
  const keptIds = new Set(kept.map(({ promotion }) => promotion.id));
  return {
    promotions,
    adjust: (considered: Considered[]) => [
      ...considered.filter(({ promotion }) => !keptIds.has(promotion.id)),
      ...kept,
    ],
  };
};

/** Links the promotions that continue to the subscription that replaces another one. */
export const continuePromotions = async (
  db: Db,
  { fromId, toId, offer }: { fromId: string; toId: string; offer: Offer },
) => {
  const payments = await countPayments(db, fromId);
  for (const promotion of await findRedeemedPromotions(db, fromId)) {
    if (!lasts(promotion, payments + 1) || refusalToContinue(promotion, offer)) continue;
    const since = promotion.since - payments;
    await moveRedemption(db, { promotionId: promotion.id, fromId, toId, since });
  }
};
