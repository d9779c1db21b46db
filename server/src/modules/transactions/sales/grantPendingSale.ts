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
import { grantSale } from "./grantSale.ts";
import { findSold } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import { type PendingSale, planForPending } from "./planFor.ts";

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
  if (!plans || !isHeld) {
    if (!wasReleased) await releaseCharge(db, about);
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
  const replaced = plans.find(({ makes }) => makes === "change")?.current;
  // Bought as something new, but the customer has another package of the group since: that is a change.
  if (replaced && sale.changesId === null && sale.kind !== "renewal")
    await holdCharge(db, about, {
      credits: await creditsOf(db, replaced.id, now),
      fromBalance: 0,
    });
  const subscriptionId = await grantSale(db, { transactionId: id, userId, sold, plans, zone });
  await settleCharge(db, settled, now);
  return subscriptionId;
};
