import type { Price } from "@purser/contract/packages/prices";
import type { SaleEffect } from "@purser/contract/transactions/sales";
import type { Subscription } from "#modules/billing/subscriptionQueries.ts";
import { addDays, type Period, periodAt, type Rhythm, resumedAt } from "#platform/periods.ts";
import type { Offer } from "./offerQueries.ts";

export const rhythmOf = (offer: Price, anchor: Date, zone: string): Rhythm | null =>
  offer.interval === "once"
    ? null
    : { anchor, interval: offer.interval, intervalCount: offer.intervalCount, zone };

/** The effect of a sale on the customer's subscription. The preview and the sale use the same plan. */
export type Plan = {
  makes: SaleEffect["makes"];
  /** The time of access, or null without an end. */
  period: Period | null;
  /** The part of it that is paid for, after free days. */
  paid: Period | null;
  anchor: Date;
  current: Subscription | null;
  /** When a paused subscription resumes because another period was bought. */
  resumesAt?: Date;
};

type Purchase = {
  offer: Offer;
  current: Subscription | undefined;
  at: Date;
  trialDays: number;
  zone: string;
};

export const planSale = ({ offer, current, at, trialDays, zone }: Purchase): Plan => {
  // The free trial comes first, and paid periods are counted from its end.
  const anchor = trialDays > 0 ? addDays(at, trialDays, zone) : at;
  const rhythm = rhythmOf(offer, anchor, zone);
  if (!rhythm) return { makes: "grant", period: null, paid: null, anchor, current: null };
  if (current?.packageId === offer.packageId && current.pausedAt) {
    const resumesAt = new Date(Math.max(+at, +current.pausedAt));
    const running = { ...current, ...resumedAt(current, resumesAt), pausedAt: null };
    return { ...planSale({ offer, current: running, at, trialDays, zone }), resumesAt };
  }
  if (current?.packageId === offer.packageId) {
    const next = rhythmOf(offer, current.anchor, zone) as Rhythm;
    const period = periodAt(next, current.periodNumber + 1);
    return { makes: "period", period, paid: period, anchor: current.anchor, current };
  }
  const paid = periodAt(rhythm, 0);
  const period = { start: at, end: paid.end };
  const makes = current ? "change" : "subscription";
  return { makes, period, paid, anchor, current: current ?? null };
};

/** Whether a sale of the same package has the currency and interval of the running subscription. */
export const hasSameTerms = (current: Price, offer: Price) =>
  current.currency === offer.currency &&
  current.interval === offer.interval &&
  current.intervalCount === offer.intervalCount;

/** A renewal, or a planned change of the package at the end of the period. */
export const planRenewal = (current: Subscription, offer: Offer, period: Period): Plan =>
  offer.packageId === current.packageId
    ? { makes: "period", period, paid: period, anchor: current.anchor, current }
    : { makes: "change", period, paid: period, anchor: period.start, current };
