import type { Message } from "@purser/contract/messages/message";
import type { Db } from "#platform/db/db.ts";
import { inSavepoint } from "#platform/db/savepoint.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import {
  findPromotionName,
  findRestored,
  insertRedemption,
  type Redemption,
} from "./redemptionQueries.ts";

/** By the reason that the database function `redeem_promotion` returns. */
const refusals: Record<string, (promotion: string) => Message> = {
  "used up": (promotion) =>
    message(
      "redemption_limit_reached",
      "{promotion} has just reached its redemption limit. Review the price and try again.",
      { promotion },
    ),
  stopped: (promotion) =>
    message(
      "redemption_stopped",
      "{promotion} is no longer active. Review the price and try again.",
      { promotion },
    ),
  "used by the same person": (promotion) =>
    message(
      "redemption_limit_per_customer",
      "This customer has already redeemed {promotion}. Review the price and try again.",
      { promotion },
    ),
  used: (promotion) =>
    message(
      "redemption_code_used",
      "This code for {promotion} was already used. Review the price and try again.",
      { promotion },
    ),
  "out of its budget": (promotion) =>
    message(
      "redemption_over_budget",
      "The budget of {promotion} has just been used up. Review the price and try again.",
      { promotion },
    ),
};

const refusalOf = (reason: string, promotion: string | undefined) =>
  (promotion === undefined ? undefined : refusals[reason]?.(promotion)) ??
  message(
    "redemption_refused",
    "A promotion is no longer available. Review the price and try again.",
  );

/** Counts a redemption or refuses it. Call it last in a transaction, because other buyers wait for its commit. */
export const redeem = async (db: Db, redemption: Redemption, now: Date) => {
  const refusal = await insertRedemption(db, redemption, now);
  if (refusal !== null) throw await refusedRedemption(db, redemption.promotionId, refusal);
};

/** The problem of a redemption that the database refused. */
export const refusedRedemption = async (db: Db, promotionId: string, refusal: string) =>
  problemOfRefusal(refusal, await findPromotionName(db, promotionId));

export const problemOfRefusal = (refusal: string, name: string | undefined) =>
  new Problem(
    "wrong_state",
    refusalOf(refusal, name),
    // The name of a one-off discount contains the customer's name.
    { personal: name === undefined ? [] : [name] },
  );

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
