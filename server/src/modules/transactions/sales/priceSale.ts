import type { Quote } from "@purser/contract/promotions/pricing";
import { periodAt } from "#modules/billing/periods.ts";
import { type Discount, isDiscount } from "#modules/promotions/pricing/conditions.ts";
import { traceMessage } from "#modules/promotions/pricing/labels.ts";
import { priceOfNextPeriods, priceOrder, taxed } from "#modules/promotions/pricing/pricing.ts";
import { type Considered, findBuyer, findConsidered } from "#modules/promotions/pricing/queries.ts";
import type { Db } from "#platform/db/db.ts";
import type { Offer } from "./offerQueries.ts";
import { rhythmOf } from "./plan.ts";
import { findFeatureNames } from "./saleQueries.ts";

type Sale = {
  offer: Offer;
  userId: string | null;
  codes: readonly string[];
  tax: number;
  at: Date;
  zone: string;
};

export type Priced = {
  quote: Quote;
  /** The promotions that apply, with the discount of each. */
  redemptions: (Considered & { amount: number })[];
};

/** Prices a sale and explains every promotion. `adjust` changes which promotions are considered. */
export const priceSale = async (
  db: Db,
  { offer, userId, codes, tax: taxAmount, at, zone }: Sale,
  adjust: (considered: Considered[]) => Considered[] = (considered) => considered,
): Promise<Priced> => {
  const considered = adjust(await findConsidered(db, { userId, codes, at }));
  const line = { ...offer, trialDays: 0 };
  const priced = priceOrder({
    lines: [line],
    promotions: considered.map(({ promotion }) => promotion),
    buyer: await findBuyer(db, userId),
    at,
  });
  const byId = new Map(considered.map((one) => [one.promotion.id, one]));
  const applied = priced.trace.filter((entry) => entry.applied);
  const redemptions = applied.flatMap(({ promotionId, amount }) => {
    const one = byId.get(promotionId);
    return one ? [{ ...one, amount }] : [];
  });
  const redeemed = redemptions
    .map(({ promotion }) => promotion)
    .filter((promotion): promotion is Discount => isDiscount(promotion));
  const rhythm = rhythmOf(offer, at, zone);
  const later = rhythm
    ? priceOfNextPeriods({ lines: [line], redeemed })
        .filter(({ period }) => period > 1)
        .map(({ period, net }) => ({ from: periodAt(rhythm, period - 1).start, total: net }))
    : [];
  const names = await findFeatureNames(
    db,
    priced.features.map(({ featureId }) => featureId),
  );
  const { tax, total } = taxed({ net: priced.net, taxAmount });
  return {
    redemptions,
    quote: {
      currency: offer.currency,
      subtotal: priced.subtotal,
      discount: priced.discount,
      tax,
      total,
      trialDays: priced.trialDays,
      features: priced.features.map(({ featureId, value, days }) => ({
        featureId,
        name: names.get(featureId) ?? "",
        value,
        days,
      })),
      trace: priced.trace.map((entry) => {
        const one = byId.get(entry.promotionId) as Considered;
        return {
          promotionId: entry.promotionId,
          name: entry.name,
          code: one.code,
          kind: one.promotion.kind,
          isApplied: entry.applied,
          amount: entry.amount,
          reason: entry.reason,
          message: traceMessage(entry, one.promotion, offer.currency),
        };
      }),
      later,
    },
  };
};
