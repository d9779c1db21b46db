import type { Transaction } from "@purser/contract/transactions/fields";
import { redeem } from "#modules/promotions/redeem.ts";
import type { Db } from "#platform/db/db.ts";
import { findSnapshot } from "../queries.ts";
import type { Priced } from "./priceSale.ts";
import { findCodeId } from "./saleQueries.ts";

type Redeeming = {
  transactionId: string;
  userId: string;
  subscriptionId: string | null;
  currency: string;
};
type Redeemed = { promotionId: string; codeId: string | null; amount: number };

/** Always in the same order, so that two sales cannot deadlock. */
const redeemInOrder = async (
  db: Db,
  sale: Redeeming,
  promotions: readonly Redeemed[],
  now: Date,
) => {
  const inOrder = promotions.toSorted((one, other) =>
    one.promotionId < other.promotionId ? -1 : 1,
  );
  for (const promotion of inOrder) await redeem(db, { ...sale, ...promotion }, now);
};

/** Call it last: from here on, other sales with the same promotions wait for this one. */
export const redeemAll = (
  db: Db,
  sale: Omit<Redeeming, "currency">,
  { redemptions, quote: { currency } }: Priced,
  now: Date,
) =>
  redeemInOrder(
    db,
    { ...sale, currency },
    redemptions
      .filter(({ isContinuing }) => !isContinuing)
      .map(({ promotion, codeId, amount }) => ({
        promotionId: promotion.id,
        codeId,
        amount,
      })),
    now,
  );

/** A draft redeems its promotions when it is submitted, not before. */
export const redeemDraft = async (
  db: Db,
  { id, user, currency }: Transaction,
  subscriptionId: string | null,
  now: Date,
) => {
  const promotions: Redeemed[] = [];
  for (const { promotionId, code, amount } of (await findSnapshot(db, id))?.promotions ?? [])
    promotions.push({ promotionId, codeId: await findCodeId(db, promotionId, code), amount });
  const sale = { transactionId: id, userId: user.id, subscriptionId, currency };
  await redeemInOrder(db, sale, promotions, now);
};
