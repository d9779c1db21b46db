import { lockCustomer } from "#modules/entitlements/customerQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { insertEvents } from "../events/eventQueries.ts";
import {
  creditsOf,
  holdAgain,
  holdCharge,
  releaseCharge,
  returnToBalance,
  settleCharge,
} from "../lines/charge.ts";
import { findDisputedTime } from "../lines/lineQueries.ts";
import { grantSale } from "./grantSale.ts";
import { findSold } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import { type PendingSale, planForPending } from "./planFor.ts";
import { replacedBy } from "./recordSale.ts";

type Paid = {
  now: Date;
  zone: string;
  /** The provider that received the money. */
  provider: string;
  /** Whether its balance and credits were returned, because the payment seemed to fail. */
  wasReleased: boolean;
};

const note = (db: Db, sale: PendingSale, now: Date, evidence: string) =>
  insertEvents(db, sale.id, [
    { type: "succeeded", at: now, source: "system", sourceId: null, evidence },
  ]);

const plansOf = async (
  db: Db,
  sale: PendingSale,
  sold: Awaited<ReturnType<typeof findSold>>,
  { userId, now, zone }: { userId: string; now: Date; zone: string },
): Promise<Plan[] | null> => {
  const plans: Plan[] = [];
  for (const { offer } of sold) {
    const plan = await planForPending(db, sale, { userId, offer, now, zone });
    if (!plan) return null;
    plans.push(plan);
  }
  return plans;
};

/**
 * The paid time of the replaced subscription that the sale doesn't hold yet: periods that were paid after the change
 * was recorded, or all if the customer has another package of the group only since then. Null if it can't be credited.
 */
const creditsOfNewTime = async (
  db: Db,
  { kind, changesId, occurredAt }: PendingSale,
  plans: readonly Plan[],
  now: Date,
) => {
  const replaced = replacedBy(plans);
  if (!replaced || (kind === "renewal" && changesId === null)) return [];
  const at = changesId === null ? now : occurredAt;
  if (await findDisputedTime(db, replaced.id, at)) return null;
  const credits = await creditsOf(db, replaced.id, at);
  // The price of another quantity was for the time that was paid then.
  const isQuantity = plans.some(({ makes }) => makes === "quantity");
  return isQuantity && credits.length > 0 ? null : credits;
};

/**
 * Settles a pending sale that is paid now, and grants what was sold when it was recorded, whatever is on sale now.
 * A payment for a change that can't be made any more goes to the customer's balance.
 */
export const grantPendingSale = async (
  db: Db,
  sale: PendingSale,
  { now, zone, provider, wasReleased }: Paid,
) => {
  // A merged customer receives it in the remaining record.
  const { id: userId, status } = await lockCustomer(db, { userId: sale.user.id });
  const { id, currency, total, balanceAmount } = sale;
  const about = { id, userId, currency };
  const settled = { ...about, total, balanceAmount, provider };
  const sold = await findSold(db, id);
  const plans = status === "erased" ? [] : await plansOf(db, sale, sold, { userId, now, zone });
  const isHeld = plans !== null && (!wasReleased || (await holdAgain(db, about, balanceAmount)));
  const more = isHeld ? await creditsOfNewTime(db, sale, plans, now) : null;
  if (!plans || !more) {
    if (isHeld || !wasReleased) await releaseCharge(db, about);
    await returnToBalance(db, settled, now);
    await note(
      db,
      sale,
      now,
      "The subscription changed before the payment succeeded, so the payment was added to the customer's balance.",
    );
    return null;
  }
  if (status === "erased") {
    await settleCharge(db, settled, now);
    await note(
      db,
      sale,
      now,
      "The customer was erased before the payment succeeded, so no access was granted. Refund the payment.",
    );
    return null;
  }
  await holdCharge(db, about, { credits: more, fromBalance: 0 });
  const subscriptionId = await grantSale(db, { transactionId: id, userId, sold, plans, zone });
  await settleCharge(db, settled, now);
  return subscriptionId;
};
