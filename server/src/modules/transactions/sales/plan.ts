import type { Price } from "@purser/contract/packages/prices";
import type { SaleEffect } from "@purser/contract/transactions/sales";
import {
  addDays,
  type Period,
  periodAt,
  type Rhythm,
  resumedAt,
} from "#modules/billing/periods.ts";
import type { Subscription } from "#modules/billing/subscriptionQueries.ts";
import type { Offer } from "./offerQueries.ts";

export const rhythmOf = (offer: Price, anchor: Date, zone: string): Rhythm | null =>
  offer.interval === "once"
    ? null
    : { anchor, interval: offer.interval, intervalCount: offer.intervalCount, zone };

/** The effect of a sale on the customer's subscription. The preview and the sale use the same plan. */
export type Plan = {
  makes: SaleEffect["makes"];
  /** The paid period, or null for access without an end. */
  period: Period | null;
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
  if (!rhythm) return { makes: "grant", period: null, anchor, current: null };
  if (current?.packageId === offer.packageId && current.pausedAt) {
    const resumesAt = new Date(Math.max(+at, +current.pausedAt));
    const running = { ...current, ...resumedAt(current, resumesAt), pausedAt: null };
    return { ...planSale({ offer, current: running, at, trialDays, zone }), resumesAt };
  }
  if (current?.packageId === offer.packageId) {
    const next = rhythmOf(offer, current.anchor, zone) as Rhythm;
    const isSame =
      current.interval === offer.interval && current.intervalCount === offer.intervalCount;
    const from = current.periodEnd;
    const period = isSame
      ? periodAt(next, current.periodNumber + 1)
      : periodAt({ ...next, anchor: from }, 0);
    return { makes: "period", period, anchor: isSame ? current.anchor : from, current };
  }
  const period = { start: at, end: periodAt(rhythm, 0).end };
  return { makes: current ? "change" : "subscription", period, anchor, current: current ?? null };
};

/** A renewal, or a planned change of the package at the end of the period. */
export const planRenewal = (current: Subscription, offer: Offer, period: Period): Plan =>
  offer.packageId === current.packageId
    ? { makes: "period", period, anchor: current.anchor, current }
    : { makes: "change", period, anchor: period.start, current };
