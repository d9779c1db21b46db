import type { Transaction, TransactionState } from "@purser/contract/transactions/fields";
import { periodAt } from "#modules/billing/periods.ts";
import { lockSubscription } from "#modules/billing/subscriptionQueries.ts";
import { lockCustomer } from "#modules/entitlements/customerQueries.ts";
import { redeemAgain } from "#modules/promotions/redeem.ts";
import { restoreRedemptions } from "#modules/promotions/redemptionQueries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { findSnapshot, insertEvents, type NewEvent, setState } from "../queries.ts";
import { recordRefund } from "../refunds/refund.ts";
import { grantSale } from "../sales/grantSale.ts";
import { planFor, redeemDraft } from "../sales/recordSale.ts";
import { findSold, type Offer, type Plan, planOfPeriod } from "../sales/sale.ts";
import { stateOf, stopsBetween } from "./states.ts";

type When = { now: Date; zone: string };

/** The state below what refunds make of it. */
const ownState = ({ state }: Transaction): TransactionState =>
  state === "refunded" || state === "partially refunded" ? "succeeded" : state;

/** The subscription that a change was to take the place of, as long as it goes on. */
const planOfChange = async (
  db: Db,
  sale: Transaction,
  { offer, now, zone }: When & { offer: Offer },
): Promise<Plan | null> => {
  const snapshot = await findSnapshot(db, sale.id);
  const current = snapshot?.credit && (await lockSubscription(db, snapshot.credit.subscriptionId));
  if (!current || current.status === "ended" || offer.interval === "once") return null;
  const { interval, intervalCount } = offer;
  const period = periodAt({ anchor: now, interval, intervalCount, zone }, 0);
  return { makes: "change", period, anchor: now, current };
};

/** The period that a renewal was made for, as long as the subscription still waits for it. */
const planOfRenewal = async (db: Db, sale: Transaction, offer: Offer): Promise<Plan | null> => {
  const { subscriptionId, periodStart: start, periodEnd: end } = sale;
  if (subscriptionId === null || !start || !end) return null;
  const current = await lockSubscription(db, subscriptionId);
  if (!current || current.status === "ended" || +current.periodEnd !== +start) return null;
  return planOfPeriod(current, offer, { start, end });
};

/** What a sale that was waiting gives, once it was paid: what was sold then, whatever is on sale now. */
const grant = async (db: Db, sale: Transaction, { now, zone }: When) => {
  const offer = await findSold(db, sale.id);
  if (!offer) return null;
  // Whose record was merged meanwhile has it in the one that stayed.
  const { id: userId, status } = await lockCustomer(db, { userId: sale.user.id });
  if (status === "erased") {
    const told = { type: "succeeded" as const, at: now, source: "system" as const, sourceId: null };
    const evidence = "The person was erased before it was paid, so it gives nothing. Refund it.";
    await insertEvents(db, sale.id, [{ ...told, evidence }]);
    return null;
  }
  const trialDays = (await findSnapshot(db, sale.id))?.trialDays ?? 0;
  const plan =
    (await planOfRenewal(db, sale, offer)) ??
    (await planOfChange(db, sale, { offer, now, zone })) ??
    (await planFor(db, { userId, offer, trialDays, at: now, zone }));
  return grantSale(db, { transactionId: sale.id, userId, offer, plan, zone });
};

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
      by: source === "staff" ? sourceId : null,
    },
    now,
  );
};

/** What a move from one state to the next does to promotions and rights. */
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
  const subscriptionId = await grant(db, sale, when);
  if (from === "draft") await redeemDraft(db, sale, subscriptionId, now);
  else await redeemAgain(db, id, { subscriptionId, now });
};

const storedEventsSql = statement(
  "transactions.storedEvents",
  "select id, type, at from transaction_events where transaction_id = $1",
);

const storedEvents = (db: Db, id: string) => run(db, storedEventsSql, [id]);

/**
 * Adds events to a transaction that is locked, moves its state to what all its events say, and lets rights,
 * promotions and money follow. Events may come twice, late and in any order.
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
  for (const to of stopsBetween(from, stateOf(await storedEvents(db, id)))) {
    const last = events.at(-1);
    // Money that was taken back is counted while the sale is still one that can be taken back from.
    if (to === "charged back" && last) await chargeBack(db, sale, last, when.now);
    // First what it gives: once it is settled, the time that was paid for stays as it is.
    await applyTransition(db, sale, { from, to }, when);
    await setState(db, id, { from, to, settledAt: to === "succeeded" ? when.now : null });
    from = to;
  }
  return from;
};
