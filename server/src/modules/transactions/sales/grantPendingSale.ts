import type { Transaction } from "@purser/contract/transactions/fields";
import { lockCustomer } from "#modules/entitlements/customerQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { insertEvents } from "../events/eventQueries.ts";
import { grantSale } from "./grantSale.ts";
import { findSold } from "./offerQueries.ts";
import { planForPending } from "./planFor.ts";

/** Grants what was sold when the sale was recorded, whatever is on sale now. */
export const grantPendingSale = async (
  db: Db,
  sale: Transaction,
  { now, zone }: { now: Date; zone: string },
) => {
  const offer = await findSold(db, sale.id);
  if (!offer) return null;
  // A merged customer receives it in the remaining record.
  const { id: userId, status } = await lockCustomer(db, { userId: sale.user.id });
  if (status === "erased") {
    const entered = {
      type: "succeeded" as const,
      at: now,
      source: "system" as const,
      sourceId: null,
    };
    const evidence =
      "The customer was erased before the payment succeeded, so no access was granted. Refund the payment.";
    await insertEvents(db, sale.id, [{ ...entered, evidence }]);
    return null;
  }
  const plan = await planForPending(db, sale, { userId, offer, now, zone });
  return grantSale(db, { transactionId: sale.id, userId, offer, plan, zone });
};
