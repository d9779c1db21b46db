import type { Db } from "#platform/db/db.ts";
import { type Subscription, setPastDue } from "../../billing/subscriptionQueries.ts";
import { changeBalances } from "../../ledger/queries.ts";
import { applyEvents } from "../../transactions/events/applyEvents.ts";
import { insertEventsOf } from "../../transactions/events/eventQueries.ts";
import { insertLinesOf } from "../../transactions/lines/lineQueries.ts";
import { lockTransaction } from "../../transactions/queries.ts";
import { findWithOpenChange, insertRenewals } from "../../transactions/renewalQueries.ts";
import { cancelOpenCharges } from "../../transactions/sales/endSubscription.ts";
import { endSubscriptions } from "../../transactions/sales/endSubscriptions.ts";
import { planRenewals, type When } from "./planRenewals.ts";

type Plan = Awaited<ReturnType<typeof planRenewals>>[number];

/** Inserts the pending payments, takes the balance for them, and returns those that need no payment. */
const insertPlans = async (db: Db, plans: readonly Plan[], now: Date) => {
  const ids = await insertRenewals(
    db,
    plans.map(({ renewal }) => renewal),
  );
  const inserted = plans.map(({ renewal, ...plan }) => {
    const transactionId = ids.get(renewal.subscriptionId);
    if (!transactionId) throw new Error(`${renewal.subscriptionId} was not renewed.`);
    return { ...plan, ...renewal, transactionId };
  });
  await insertLinesOf(
    db,
    inserted.flatMap(({ lines, transactionId }) =>
      lines.map((line, position) => ({ transactionId, position, ...line })),
    ),
  );
  const entered = { at: now, source: "system", sourceId: null } as const;
  await insertEventsOf(
    db,
    inserted.flatMap(({ transactionId }) => [
      { transactionId, type: "created" as const, ...entered },
      { transactionId, type: "submitted" as const, ...entered },
    ]),
  );
  await changeBalances(
    db,
    inserted.map(({ userId, currency, balanceAmount, transactionId }) => ({
      userId,
      currency,
      amount: -balanceAmount,
      kind: "payment" as const,
      transactionId,
    })),
  );
  return inserted.filter(({ due }) => due === 0).map(({ transactionId }) => transactionId);
};

/** A renewal that is free or paid from the balance needs no payment. */
const settle = async (db: Db, transactionId: string, { now, zone }: When) => {
  const sale = await lockTransaction(db, transactionId);
  if (!sale) throw new Error("The new renewal was not found.");
  const paid = { type: "succeeded" as const, at: now, source: "system" as const, sourceId: null };
  await applyEvents(db, sale, [paid], { now, zone });
};

const requestPayments = async (db: Db, subscriptions: readonly Subscription[], when: When) => {
  if (subscriptions.length === 0) return;
  const ids = subscriptions.map(({ id }) => id);
  // A change of the old period can no longer be made.
  const why = "The period ended before the change was paid.";
  for (const id of await findWithOpenChange(db, ids))
    await cancelOpenCharges(db, id, { at: when.now, why, only: "change" });
  const plans = await planRenewals(db, subscriptions, when);
  const settled = await insertPlans(db, plans, when.now);
  await setPastDue(db, ids);
  for (const id of settled) await settle(db, id, when);
};

/** When a subscription ends because it was canceled or not paid, or null if it doesn't. */
const endOf = ({ status, periodEnd, accessUntil }: Subscription, now: Date) => {
  if (status === "past due" && accessUntil <= now) return accessUntil;
  return status === "ending" && periodEnd <= now ? periodEnd : null;
};

const isRenewed = ({ status, periodEnd }: Subscription, now: Date) =>
  periodEnd <= now && (status === "active" || status === "trialing");

/**
 * Requests the next payments of locked subscriptions whose period is over, or ends them. They must be of different
 * customers.
 */
export const renewLocked = async (db: Db, subscriptions: readonly Subscription[], when: When) => {
  const { now } = when;
  const ends = subscriptions.flatMap((one) => {
    const at = endOf(one, now);
    return at ? [{ id: one.id, at }] : [];
  });
  await endSubscriptions(db, ends);
  await requestPayments(
    db,
    subscriptions.filter((one) => isRenewed(one, now)),
    when,
  );
};
