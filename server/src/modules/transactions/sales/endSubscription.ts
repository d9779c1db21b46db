import { endSubscriptionGrants, type GrantEnd } from "#modules/billing/grantQueries.ts";
import {
  closeSubscription,
  type Subscription,
  updateSubscription,
} from "#modules/billing/subscriptionQueries.ts";
import { restoreRedemptions } from "#modules/promotions/redemptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { insertEvents, setState } from "../events/eventQueries.ts";
import { releaseCharge } from "../lines/charge.ts";
import { findOpenCharges } from "./saleQueries.ts";

type Closing = { at: Date; why: string; exceptId?: string | null; only?: "change" };

/** Cancels renewals and changes of a subscription that wait for their payment. */
export const cancelOpenCharges = async (
  db: Db,
  subscriptionId: string,
  { at, why, exceptId = null, only }: Closing,
) => {
  for (const { state, ...sale } of await findOpenCharges(db, subscriptionId, {
    exceptId,
    isOnlyChange: only !== undefined,
  })) {
    const canceled = { type: "canceled" as const, at, source: "system" as const, sourceId: null };
    await insertEvents(db, sale.id, [{ ...canceled, evidence: why }]);
    await setState(db, sale.id, { from: state, to: "canceled" });
    await restoreRedemptions(db, sale.id, { now: at, isRefund: false });
    await releaseCharge(db, sale);
  }
};

/** Ends a subscription with its access, and cancels what it still waits to be paid. */
export const endSubscription = async (
  db: Db,
  id: string,
  { exceptId = null, ...end }: GrantEnd & { exceptId?: string | null },
) => {
  await closeSubscription(db, id, end);
  const why = "The subscription ended.";
  await cancelOpenCharges(db, id, { at: end.revokedAt ?? end.at, why, exceptId });
};

/** Ends a subscription with what is paid. There is no grace period, because no renewal is expected. */
export const endWithPeriod = async (
  db: Db,
  { id, periodEnd }: Pick<Subscription, "id" | "periodEnd">,
  now: Date,
) => {
  if (periodEnd <= now) return endSubscription(db, id, { at: now });
  await endSubscriptionGrants(db, id, { at: periodEnd });
  await updateSubscription(db, id, { status: "ending", accessUntil: periodEnd });
};
