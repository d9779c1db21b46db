import type { Transaction } from "@purser/contract/transactions/fields";
import {
  lockCurrent,
  lockSubscription,
  type Subscription,
} from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { type Refusal, refuse } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { periodAt } from "#platform/periods.ts";
import { findSnapshot } from "../queries.ts";
import type { Offer } from "./offerQueries.ts";
import { hasSameTerms, type Plan, planRenewal, planSale, rhythmOf } from "./plan.ts";

/** A running subscription keeps its currency and interval until the end of its period. */
const refusalOfTerms = (current: Subscription, offer: Offer): Refusal | null => {
  const isSamePackage = current.packageId === offer.packageId;
  if (current.currency === offer.currency && (!isSamePackage || hasSameTerms(current, offer)))
    return null;
  return {
    code: "wrong_state",
    detail: message(
      "subscription_other_terms",
      "{packageName} is billed in {currency} with another billing period. Change the subscription at the end of its period instead.",
      { packageName: current.packageName, currency: current.currency },
    ),
  };
};

/** The subscription that a sale continues or replaces. Refuses a sale on other terms than the running one. */
export const lockContinued = async (db: Db, userId: string | null, offer: Offer) => {
  if (userId === null || offer.interval === "once") return undefined;
  const { packageId, group } = offer;
  const current = await lockCurrent(db, { userId, packageId, group });
  if (current) refuse(refusalOfTerms(current, offer));
  return current;
};

type When = { now: Date; zone: string };

/**
 * The plan of a change that was pending: from the moment at which it was planned. Null if the subscription has
 * ended, or if the paid time is over already.
 */
const planForChange = async (
  db: Db,
  { changesId, occurredAt }: PendingSale,
  offer: Offer,
  { now, zone }: When,
): Promise<Plan | null> => {
  const current = changesId ? await lockSubscription(db, changesId) : undefined;
  const rhythm = rhythmOf(offer, occurredAt, zone);
  if (!current || current.status === "ended" || !rhythm) return null;
  const isSamePackage = current.packageId === offer.packageId;
  const { end } = isSamePackage ? { end: current.periodEnd } : periodAt(rhythm, 0);
  if (end <= now) return null;
  const shared = { period: { start: now, end }, paid: { start: occurredAt, end }, current };
  return isSamePackage
    ? { ...shared, makes: "quantity", anchor: current.anchor }
    : { ...shared, makes: "change", anchor: occurredAt };
};

/** Null unless the sale renews a subscription that still waits for exactly this period. */
const planForRenewal = async (db: Db, sale: PendingSale, offer: Offer): Promise<Plan | null> => {
  const { subscriptionId, periodStart: start, periodEnd: end } = sale;
  if (subscriptionId === null || !start || !end) return null;
  const current = await lockSubscription(db, subscriptionId);
  if (!current || current.status === "ended" || +current.periodEnd !== +start) return null;
  return planRenewal(current, offer, { start, end });
};

export type PendingSale = Transaction & { changesId: string | null };

/**
 * The plan of a sale that was pending, made for the moment at which it is paid. Null if it was a change that can't
 * be made any more.
 */
export const planForPending = async (
  db: Db,
  sale: PendingSale,
  { userId, offer, now, zone }: When & { userId: string; offer: Offer },
): Promise<Plan | null> => {
  if (sale.changesId !== null) return planForChange(db, sale, offer, { now, zone });
  const trialDays = (await findSnapshot(db, sale.id))?.trialDays ?? 0;
  const renewal = await planForRenewal(db, sale, offer);
  if (renewal) return renewal;
  const group = { userId, packageId: offer.packageId, group: offer.group };
  const current = offer.interval === "once" ? undefined : await lockCurrent(db, group);
  if (current && refusalOfTerms(current, offer)) return null;
  return planSale({ offer, current, at: now, trialDays, zone });
};
