import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { job } from "#platform/jobs/queues.ts";
import type { FindZone } from "#platform/settings.ts";
import { type Period, periodAt } from "../billing/periods.ts";
import {
  endSubscription,
  lockSubscription,
  type Subscription,
  updateSubscription,
} from "../billing/subscriptionQueries.ts";
import { priceOfPeriod } from "../promotions/pricing/pricing.ts";
import { findRedeemed } from "../promotions/pricing/queries.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import { insertEvents } from "../transactions/events/eventQueries.ts";
import { insertTransaction, lockTransaction } from "../transactions/queries.ts";
import { findSoldAt, type Offer } from "../transactions/sales/offerQueries.ts";
import { takeSnapshot } from "../transactions/sales/snapshot.ts";
import { countPayments, findDue, findSamePrice } from "./queries.ts";

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

const nextPeriod = (
  { anchor, interval, intervalCount, periodNumber }: Subscription,
  zone: string,
): Period => {
  if (interval === "once") throw new Error("A one-time purchase never renews.");
  return periodAt({ anchor, interval, intervalCount, zone }, periodNumber + 1);
};

/** Inserts the pending payment of the next period. A unique index allows one per period, so workers can race. */
const insertRenewal = async (
  db: Db,
  subscription: Subscription,
  { offer, period, now }: { offer: Offer; period: Period; now: Date },
) => {
  const redeemed = await findRedeemed(db, subscription.id);
  const { subtotal, discount, net, currency } = priceOfPeriod(
    { lines: [{ ...offer, trialDays: 0 }], redeemed },
    1 + (await countPayments(db, subscription.id)),
  );
  const id = await insertTransaction(db, {
    kind: "renewal",
    state: "pending",
    userId: subscription.userId,
    packageId: offer.packageId,
    versionId: offer.versionId,
    priceId: offer.priceId,
    subscriptionId: subscription.id,
    currency,
    subtotal,
    discount,
    tax: 0,
    total: net,
    provider: "renewal",
    reference: null,
    occurredAt: now,
    periodStart: period.start,
    periodEnd: period.end,
    createdBy: null,
    snapshot: await takeSnapshot(db, offer, { redemptions: [] }),
  });
  const entered = { at: now, source: "system" as const, sourceId: null };
  await insertEvents(db, id, [
    { type: "created", ...entered },
    { type: "submitted", ...entered },
  ]);
  return { id, total: net };
};

/** At the end of a period, requests the next payment or ends the subscription. */
export const renew = async (db: Db, id: string, { now, zone }: { now: Date; zone: string }) => {
  const subscription = await lockSubscription(db, id);
  if (!subscription) return;
  const { status, periodEnd, accessUntil } = subscription;
  // Another worker may have renewed it while this one waited for the lock.
  if (status === "past due" && accessUntil <= now)
    return endSubscription(db, id, { at: accessUntil });
  if (periodEnd > now) return;
  if (status === "ending") return endSubscription(db, id, { at: periodEnd });
  if (status !== "active" && status !== "trialing") return;
  const offer = await nextOffer(db, subscription);
  const period = nextPeriod(subscription, zone);
  const { id: transactionId, total } = await insertRenewal(db, subscription, {
    offer,
    period,
    now,
  });
  await updateSubscription(db, id, { status: "past due" });
  if (total > 0) return;
  // A free renewal needs no payment.
  const sale = await lockTransaction(db, transactionId);
  if (!sale) throw new Error("The new renewal was not found.");
  const paid = { type: "succeeded" as const, at: now, source: "system" as const, sourceId: null };
  await applyEvents(db, sale, [paid], { now, zone });
};

/** Each subscription is a step of its own, so that one can't hold up the others. */
export const renewSubscriptions = (findZone: FindZone) =>
  job({
    name: "renew-subscriptions",
    payload: z.object({}),
    every: "* * * * *",
    inSteps: true,
    run: async ({ db, now, step }) => {
      for (let due = await findDue(db, now); due.length > 0; due = await findDue(db, now))
        for (const id of due)
          await step(async (within) => renew(within, id, { now, zone: await findZone(within) }));
    },
  });
