import type { Transaction, TransactionState } from "@purser/contract/transactions/fields";
import { redeemAgain } from "#modules/promotions/redeem.ts";
import { restoreRedemptions } from "#modules/promotions/redemptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { recordRefund } from "../refunds/recordRefund.ts";
import { grantPendingSale } from "../sales/grantPendingSale.ts";
import { redeemDraft } from "../sales/redeemPromotions.ts";
import { findStoredEvents, insertEvents, type NewEvent, setState } from "./eventQueries.ts";
import { stateOf, statesBetween } from "./states.ts";

type When = { now: Date; zone: string };

/** The stored state, without the effect of refunds. */
const ownState = ({ state }: Transaction): TransactionState =>
  state === "refunded" || state === "partially refunded" ? "succeeded" : state;

const chargeBack = async (
  db: Db,
  sale: Transaction,
  { evidence, sourceId, source }: NewEvent,
  now: Date,
) => {
  const amount = sale.total - sale.refunded;
  if (amount === 0) return;
  await recordRefund(
    db,
    sale,
    {
      kind: "chargeback",
      amount,
      access: "end now",
      note: "",
      reference: null,
      reason: (evidence ?? "The dispute was lost.").slice(0, 500),
      provider: sale.provider,
      by: source === "team" ? sourceId : null,
    },
    now,
  );
};

/** Redeems promotions and grants access when a sale is paid; restores redemptions when it fails. */
const applyTransition = async (
  db: Db,
  sale: Transaction,
  { from, to }: Record<"from" | "to", TransactionState>,
  when: When,
) => {
  const { id } = sale;
  const { now } = when;
  if (to === "failed" || to === "canceled" || to === "voided")
    await restoreRedemptions(db, id, { now, isRefund: false });
  if (to !== "succeeded" || from === "disputed") {
    if (from === "draft" && to === "pending") await redeemDraft(db, sale, null, now);
    return;
  }
  const subscriptionId = await grantPendingSale(db, sale, when);
  if (from === "draft") await redeemDraft(db, sale, subscriptionId, now);
  else await redeemAgain(db, id, { subscriptionId, now });
};

/**
 * Adds events to a locked transaction, computes its state from all of them, and updates access, redemptions and
 * refunds. Events may arrive twice, late and in any order.
 */
export const applyEvents = async (
  db: Db,
  sale: Transaction,
  events: readonly NewEvent[],
  when: When,
) => {
  const { id } = sale;
  await insertEvents(db, id, events);
  let from = ownState(sale);
  for (const to of statesBetween(from, stateOf(await findStoredEvents(db, id)))) {
    const last = events.at(-1);
    // The refund comes before the new state, because a charged back sale can't be refunded.
    if (to === "charged back" && last) await chargeBack(db, sale, last, when.now);
    // Grants come before the new state, because the paid period of a settled sale is frozen.
    await applyTransition(db, sale, { from, to }, when);
    await setState(db, id, { from, to, settledAt: to === "succeeded" ? when.now : null });
    from = to;
  }
  return from;
};
