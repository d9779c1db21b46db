import type { Db } from "#platform/db/db.ts";
import { inSavepoint } from "#platform/db/savepoint.ts";
import { Problem } from "#platform/http/problem.ts";
import {
  findPromotionName,
  findRestored,
  insertRedemption,
  type Redemption,
} from "./redemptionQueries.ts";

/** Counts a redemption or refuses it. Call it last in a transaction, because other buyers wait for its commit. */
export const redeem = async (db: Db, redemption: Redemption, now: Date) => {
  const refusal = await insertRedemption(db, redemption, now);
  if (refusal === null) return;
  const name = await findPromotionName(db, redemption.promotionId);
  throw new Problem(
    "wrong_state",
    `${name ?? "The promotion"} was ${refusal} a moment ago. Look at the price again.`,
    // The name of a one-off discount contains the customer's name.
    { personal: name === undefined ? [] : [name] },
  );
};

/**
 * Repeats the redemptions that were restored when a payment seemed to fail. If the promotion was used up in the
 * meantime, the buyer keeps the price and the redemption isn't counted.
 */
export const redeemAgain = async (
  db: Db,
  transactionId: string,
  { subscriptionId, now }: { subscriptionId: string | null; now: Date },
) => {
  for (const restored of await findRestored(db, transactionId))
    await inSavepoint(db, () => redeem(db, { ...restored, subscriptionId, isPromised: true }, now));
};
