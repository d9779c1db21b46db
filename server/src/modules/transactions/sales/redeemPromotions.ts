import type { Transaction } from "@purser/contract/transactions/fields";
import { redeem } from "#modules/promotions/redeem.ts";
import type { Db } from "#platform/db/db.ts";
import { findSnapshot } from "../queries.ts";
import type { Priced } from "./priceSale.ts";
import { findCodeId } from "./saleQueries.ts";

type Redeemed = { promotionId: string; codeId: string | null; amount: number };

/** Always in the same order, so that two sales cannot deadlock. */
const inOrder = (promotions: readonly Redeemed[]) =>
  promotions.toSorted((one, other) => (one.promotionId < other.promotionId ? -1 : 1));

/** The promotions that a sale redeems. Those that continue were redeemed before. */
export const redeemedBy = ({ redemptions }: Priced): Redeemed[] =>
  inOrder(
    redemptions
      .filter(({ isContinuing }) => !isContinuing)
      .map(({ promotion, codeId, amount }) => ({ promotionId: promotion.id, codeId, amount })),
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
  for (const promotion of inOrder(promotions)) await redeem(db, { ...sale, ...promotion }, now);
};
