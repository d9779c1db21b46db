import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { job } from "#platform/jobs/queues.ts";
import type { FindZone } from "#platform/settings.ts";
import { type Period, periodAt } from "../billing/periods.ts";
import {
  lockSubscription,
  type Subscription,
  updateSubscription,
} from "../billing/subscriptionQueries.ts";
import { priceOfPeriod } from "../promotions/pricing/pricing.ts";
import { findRedeemed } from "../promotions/pricing/queries.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import { insertEvents } from "../transactions/events/eventQueries.ts";
import { holdCharge, planCharge } from "../transactions/lines/charge.ts";
import { insertLines } from "../transactions/lines/lineQueries.ts";
import { insertTransaction, lockTransaction } from "../transactions/queries.ts";
import { cancelOpenCharges, endSubscription } from "../transactions/sales/endSubscription.ts";
import { findSoldAt, type Item, type Offer } from "../transactions/sales/offerQueries.ts";
import { rhythmOf } from "../transactions/sales/plan.ts";
import { amountOf, findTaxations, taxLines, totalsOf } from "../transactions/sales/priceSale.ts";
import { countPayments } from "../transactions/sales/saleQueries.ts";
import { takeSnapshot } from "../transactions/sales/snapshot.ts";
import { splitForSubscription } from "../transactions/split/splitCustomers.ts";
import { findDue, findSamePrice } from "./queries.ts";

/** A planned change first, then the version of a rollout, else the current version and price. */
const nextOffer = async (db: Db, subscription: Subscription): Promise<Offer> => {
  const { versionId, priceId, nextVersionId, changeVersionId, changePriceId } = subscription;
  if (changeVersionId !== null && changePriceId !== null) {
    const changed = await findSoldAt(db, changeVersionId, changePriceId);
    if (changed) return changed;
  }
  if (nextVersionId !== null) {
    const price = await findSamePrice(db, nextVersionId, subscription);
    // A version without this interval is sold at the old price.
    const migrated = await findSoldAt(db, nextVersionId, price?.id ?? priceId);
    if (migrated) return migrated;
  }
  const same = await findSoldAt(db, versionId, priceId);
  if (!same) throw new Error(`The price of subscription ${subscription.id} was not found.`);
  return same;
};

/** Counted from the anchor, or from the end of the period if the interval changes. */
const nextPeriod = (
  { anchor, interval, intervalCount, periodNumber, periodEnd }: Subscription,
  offer: Offer,
  zone: string,
): Period => {
  const next = rhythmOf(offer, periodEnd, zone);
  if (!next) throw new Error("A one-time purchase never renews.");
  const isSame = interval === offer.interval && intervalCount === offer.intervalCount;
  return isSame ? periodAt({ ...next, anchor }, periodNumber + 1) : periodAt(next, 0);
};

/** Discounts of the subscription that still last, with the tax of today. */
const priceRenewal = async (
  db: Db,
  { id, userId }: Subscription,
  item: Item,
  { now, zone }: When,
) => {
  const items = [item];
  const line = { ...item.offer, amount: amountOf(item), trialDays: 0 };
  const redeemed = await findRedeemed(db, id);
  const priced = priceOfPeriod({ lines: [line], redeemed }, 1 + (await countPayments(db, id)));
  const taxation = await findTaxations(db, { items, userId, at: now, zone });
  return {
    lines: taxLines(items, priced.lines, taxation, null),
    isTaxIncluded: taxation.isIncluded,
  };
};

type When = { now: Date; zone: string };

/**
 * Inserts the pending payment of the next period, and takes the balance for it. A unique index allows one per
 * period, so workers can race. A provider that bills the renewals charges the full amount.
 */
const insertRenewal = async (
  db: Db,
  subscription: Subscription,
  { item, period, now, zone }: When & { item: Item; period: Period },
) => {
  const { id: subscriptionId, userId, billedBy } = subscription;
  const { offer } = item;
  const { lines, isTaxIncluded } = await priceRenewal(db, subscription, item, { now, zone });
  const { total, ...amounts } = totalsOf(lines);
  const charge = await planCharge(db, {
    userId,
    currency: offer.currency,
    total,
    replacedId: null,
    at: now,
    usesBalance: billedBy === null,
  });
  const { fromBalance, due } = charge.payment;
  const id = await insertTransaction(db, {
    kind: "renewal",
    state: "pending",
    userId,
    packageId: offer.packageId,
    versionId: offer.versionId,
    priceId: offer.priceId,
    subscriptionId,
    currency: offer.currency,
    ...amounts,
    total,
    balanceAmount: fromBalance,
    taxIncluded: isTaxIncluded,
    provider: "renewal",
    reference: null,
    occurredAt: now,
    periodStart: period.start,
    periodEnd: period.end,
    createdBy: null,
    snapshot: await takeSnapshot(db, item, { redemptions: [] }),
  });
  await insertLines(db, id, lines);
  const entered = { at: now, source: "system" as const, sourceId: null };
  await insertEvents(db, id, [
    { type: "created", ...entered },
    { type: "submitted", ...entered },
  ]);
  await holdCharge(db, { id, userId, currency: offer.currency }, { credits: [], fromBalance });
  return { id, due };
};

/** At the end of a period, requests the next payment or ends the subscription. */
export const renew = async (db: Db, id: string, { now, zone }: When) => {
  await splitForSubscription(db, id);
  const subscription = await lockSubscription(db, id);
  if (!subscription) return;
  const { status, periodEnd, accessUntil, changeQuantity, quantity } = subscription;
  // Another worker may have renewed it while this one waited for the lock.
  if (status === "past due" && accessUntil <= now)
    return endSubscription(db, id, { at: accessUntil });
  if (periodEnd > now) return;
  if (status === "ending") return endSubscription(db, id, { at: periodEnd });
  if (status !== "active" && status !== "trialing") return;
  // A change of the old period can no longer be made.
  const why = "The period ended before the change was paid.";
  await cancelOpenCharges(db, id, { at: now, why, only: "change" });
  const offer = await nextOffer(db, subscription);
  const item = { offer, quantity: offer.perUnit ? (changeQuantity ?? quantity) : 1 };
  const period = nextPeriod(subscription, offer, zone);
  const renewal = await insertRenewal(db, subscription, { item, period, now, zone });
  await updateSubscription(db, id, { status: "past due" });
  if (renewal.due > 0) return;
  // A renewal that is free or paid from the balance needs no payment.
  const sale = await lockTransaction(db, renewal.id);
  if (!sale) throw new Error("The new renewal was not found.");
  const paid = { type: "succeeded" as const, at: now, source: "system" as const, sourceId: null };
  await applyEvents(db, sale, [paid], { now, zone });
};

/** Each subscription is a step of its own, so that one that fails doesn't hold up the others. */
export const renewSubscriptions = (findZone: FindZone) =>
  job({
    name: "renew-subscriptions",
    payload: z.object({}),
    every: "* * * * *",
    inSteps: true,
    run: async ({ db, now, step }) => {
      const failures = new Map<string, unknown>();
      const findMore = () => findDue(db, now, [...failures.keys()]);
      for (let due = await findMore(); due.length > 0; due = await findMore())
        for (const id of due)
          await step(async (within) =>
            renew(within, id, { now, zone: await findZone(within) }),
          ).catch((error: unknown) => failures.set(id, error));
      if (failures.size > 0)
        throw new AggregateError(
          failures.values(),
          `These subscriptions were not renewed: ${[...failures.keys()].join(", ")}`,
        );
    },
  });
