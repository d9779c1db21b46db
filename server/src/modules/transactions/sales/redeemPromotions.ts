import type { Transaction } from "@purser/contract/transactions/fields";
import { redeem } from "#modules/promotions/redeem.ts";
import type { Db } from "#platform/db/db.ts";
import { findSnapshot } from "../queries.ts";
import type { Priced } from "./priceSale.ts";
import { findCodeId } from "./saleQueries.ts";

/** Call it last: from here on, other sales with the same promotions wait for this one. */
export const redeemAll = async (
  db: Db,
  {
    transactionId,
    userId,
    subscriptionId,
  }: Record<"transactionId" | "userId", string> & {
    subscriptionId: string | null;
  },
  { uses, quote }: Priced,
  now: Date,
) => {
  // Always in the same order, so that two sales cannot deadlock.
  const inOrder = uses.toSorted((one, other) => (one.promotion.id < other.promotion.id ? -1 : 1));
  for (const { promotion, codeId, amount } of inOrder)
    await redeem(
      db,
      {
        promotionId: promotion.id,
        codeId,
        userId,
        transactionId,
        subscriptionId,
        currency: quote.currency,
        amount,
      },
      now,
    );
};

/** A draft redeems its promotions when it is submitted, not before. */
export const redeemDraft = async (
  db: Db,
  { id, user, currency }: Transaction,
  subscriptionId: string | null,
  now: Date,
) => {
  const promotions = (await findSnapshot(db, id))?.promotions ?? [];
  const inOrder = promotions.toSorted((one, other) =>
    one.promotionId < other.promotionId ? -1 : 1,
  );
  for (const { promotionId, code, amount } of inOrder)
    await redeem(
      db,
      {
        promotionId,
        codeId: await findCodeId(db, promotionId, code),
        userId: user.id,
        transactionId: id,
        subscriptionId,
        currency,
        amount,
      },
      now,
    );
};
