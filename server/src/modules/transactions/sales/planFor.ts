import type { Snapshot } from "@purser/contract/transactions/endpoints";
import type { Transaction } from "@purser/contract/transactions/fields";
import { periodAt } from "#modules/billing/periods.ts";
import { lockCurrent, lockSubscription } from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { findSnapshot } from "../queries.ts";
import type { Offer } from "./offerQueries.ts";
import { type Plan, planRenewal, planSale } from "./plan.ts";

export const planFor = async (
  db: Db,
  {
    userId,
    offer,
    trialDays,
    at,
    zone,
  }: { userId: string | null; offer: Offer; trialDays: number; at: Date; zone: string },
): Promise<Plan> => {
  const current =
    userId === null || offer.interval === "once"
      ? undefined
      : await lockCurrent(db, { userId, packageId: offer.packageId, group: offer.group });
  return planSale({ offer, current, at, trialDays, zone });
};

/** Null unless the sale is a change of a subscription that has not ended. */
const planForChange = async (
  db: Db,
  credit: Snapshot["credit"] | undefined,
  { offer, now, zone }: { offer: Offer; now: Date; zone: string },
): Promise<Plan | null> => {
  const current = credit && (await lockSubscription(db, credit.subscriptionId));
  if (!current || current.status === "ended" || offer.interval === "once") return null;
  const { interval, intervalCount } = offer;
  const period = periodAt({ anchor: now, interval, intervalCount, zone }, 0);
  return { makes: "change", period, anchor: now, current };
};

/** Null unless the sale renews a subscription that still waits for exactly this period. */
const planForRenewal = async (db: Db, sale: Transaction, offer: Offer): Promise<Plan | null> => {
  const { subscriptionId, periodStart: start, periodEnd: end } = sale;
  if (subscriptionId === null || !start || !end) return null;
  const current = await lockSubscription(db, subscriptionId);
  if (!current || current.status === "ended" || +current.periodEnd !== +start) return null;
  return planRenewal(current, offer, { start, end });
};

/** The plan of a sale that was pending, made for the moment at which it is paid. */
export const planForPending = async (
  db: Db,
  sale: Transaction,
  { userId, offer, now, zone }: { userId: string; offer: Offer; now: Date; zone: string },
): Promise<Plan> => {
  const snapshot = await findSnapshot(db, sale.id);
  const trialDays = snapshot?.trialDays ?? 0;
  return (
    (await planForRenewal(db, sale, offer)) ??
    (await planForChange(db, snapshot?.credit, { offer, now, zone })) ??
    (await planFor(db, { userId, offer, trialDays, at: now, zone }))
  );
};
