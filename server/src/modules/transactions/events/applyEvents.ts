import type { Transaction, TransactionState } from "@purser/contract/transactions/fields";
import { lockCustomer } from "#modules/entitlements/customerQueries.ts";
import { redeemAgain } from "#modules/promotions/redeem.ts";
import { restoreRedemptions } from "#modules/promotions/redemptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { releaseCharge } from "../lines/charge.ts";
import { lockLines } from "../lines/lineQueries.ts";
import { payeeOf } from "../lines/payee.ts";
import { findChanged, findTransaction } from "../queries.ts";
import { creditInOrder } from "../refunds/planRefund.ts";
import { applyAccess, recordRefund } from "../refunds/recordRefund.ts";
import { findCash } from "../refunds/refundQueries.ts";
import { chargeDraft } from "../sales/chargeDraft.ts";
import { grantPendingSale } from "../sales/grantPendingSale.ts";
import type { PendingSale } from "../sales/planFor.ts";
import { redeemDraft } from "../sales/redeemPromotions.ts";
import { findStoredEvents, insertEvents, type NewEvent, setState } from "./eventQueries.ts";
import { stateOf, statesBetween } from "./states.ts";

type When = {
  now: Date;
  zone: string;
  /** The provider that reports the events; null for the team. */
  provider?: string | null;
};

/** The stored state, without the effect of refunds. */
const ownState = ({ state }: Transaction): TransactionState =>
  state === "refunded" || state === "partially refunded" ? "succeeded" : state;

/** The bank took back what was paid in cash, even if a part of it was credited before. */
const chargeBack = async (
  db: Db,
  sale: Transaction,
  { evidence, sourceId, source }: NewEvent,
  now: Date,
) => {
  const { id: userId } = await lockCustomer(db, { userId: sale.user.id });
  const amount = await findCash(db, sale.id);
  const lines = await lockLines(db, sale.id);
  if (amount === 0) {
    await applyAccess(db, sale, { access: "end now", lines, now });
    return;
  }
  await recordRefund(
    db,
    sale,
    {
      kind: "chargeback",
      userId,
      lines,
      credits: creditInOrder(lines, amount),
      amount,
      toBalance: 0,
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

/** Credits and the balance paid everything, so there is no payment to wait for. */
const nothingLeft = (at: Date): NewEvent => ({
  type: "succeeded",
  at,
  source: "system",
  sourceId: null,
  evidence: "Nothing was left to pay.",
});

/** What a transaction in this state holds is returned. */
const isClosed = (state: TransactionState) =>
  state === "failed" || state === "canceled" || state === "voided";

/** Redeems promotions and grants access when a sale is paid; returns what it held when it fails. */
const applyTransition = async (
  db: Db,
  sale: PendingSale,
  { from, to }: Record<"from" | "to", TransactionState>,
  when: When,
) => {
  const { id } = sale;
  const { now, zone } = when;
  if (isClosed(to) && !isClosed(from)) {
    await restoreRedemptions(db, id, { now, isRefund: false });
    const { id: userId } = await lockCustomer(db, { userId: sale.user.id });
    await releaseCharge(db, { id, userId, currency: sale.currency });
  }
  if (to !== "succeeded" || from === "disputed") {
    if (from === "draft" && to === "pending") await redeemDraft(db, sale, null, now);
    return;
  }
  const provider = when.provider ?? payeeOf(sale.provider);
  const wasReleased = isClosed(from);
  const subscriptionId = await grantPendingSale(db, sale, { now, zone, provider, wasReleased });
  if (from === "draft") await redeemDraft(db, sale, subscriptionId, now);
  else await redeemAgain(db, id, { subscriptionId, now });
};

/**
 * Adds events to a locked transaction, computes its state from all of them, and updates access, redemptions, money
 * and refunds. Events may arrive twice, late and in any order.
 */
export const applyEvents = async (
  db: Db,
  given: Transaction,
  events: readonly NewEvent[],
  when: When,
) => {
  const { id } = given;
  await insertEvents(db, id, events);
  let from = ownState(given);
  let states = statesBetween(from, stateOf(await findStoredEvents(db, id)));
  if (from === "draft" && states.length > 0 && states[0] !== "voided") {
    const due = await chargeDraft(db, given);
    if (due === 0 && states[0] === "pending") {
      await insertEvents(db, id, [nothingLeft(when.now)]);
      states = ["succeeded"];
    }
  }
  const sale = {
    ...((await findTransaction(db, id)) ?? given),
    changesId: await findChanged(db, id),
  };
  for (const to of states) {
    const last = events.at(-1);
    // The refund comes before the new state, because a charged back sale can't be refunded.
    if (to === "charged back" && last) await chargeBack(db, sale, last, when.now);
    // Grants come before the new state, because the paid period of a settled sale is frozen.
    await applyTransition(db, sale, { from, to }, when);
    const isSettled = to === "succeeded" && from !== "disputed";
    await setState(db, id, {
      from,
      to,
      ...(isSettled && { settled: { at: when.now, by: when.provider ?? payeeOf(sale.provider) } }),
    });
    from = to;
  }
  return from;
};
