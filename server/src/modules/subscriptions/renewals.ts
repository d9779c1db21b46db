import { z } from "zod";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { job } from "#platform/jobs/queues.ts";
import type { FindZone } from "#platform/settings.ts";
import { type Period, periodAt } from "../billing/periods.ts";
import {
  endSubscription,
  lockSubscription,
  paymentsMade,
  type Subscription,
  updateSubscription,
} from "../billing/subscriptionQueries.ts";
import { priceOfPeriod } from "../promotions/pricing/pricing.ts";
import { findRedeemed } from "../promotions/pricing/queries.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import { insertEvents, insertTransaction, lockTransaction } from "../transactions/queries.ts";
import { findSoldAt, type Offer, takeSnapshot } from "../transactions/sales/sale.ts";

const nextOfferSql = statement(
  "subscriptions.nextOffer",
  `select id from version_prices where version_id = $1 and currency = $2 and interval = $3
   and interval_count = $4`,
);

/** What a subscription renews to: what a rollout or a change planned, where it is offered alike; else what it has. */
const nextOffer = async (db: Db, subscription: Subscription): Promise<Offer> => {
  const { versionId, priceId, nextVersionId, changeVersionId, changePriceId } = subscription;
  const { currency, interval, intervalCount } = subscription;
  if (changeVersionId !== null && changePriceId !== null) {
    const changed = await findSoldAt(db, changeVersionId, changePriceId);
    if (changed) return changed;
  }
  if (nextVersionId !== null) {
    const price = await first(db, nextOfferSql, [nextVersionId, currency, interval, intervalCount]);
    // A version that no longer offers the interval is given at the price that was agreed.
    const moved = await findSoldAt(db, nextVersionId, price?.id ?? priceId);
    if (moved) return moved;
  }
  const same = await findSoldAt(db, versionId, priceId);
  if (!same) throw new Error(`Subscription ${subscription.id} was sold at no price.`);
  return same;
};

const nextPeriod = (
  { anchor, interval, intervalCount, periodNumber }: Subscription,
  zone: string,
): Period => {
  if (interval === "once") throw new Error("What is paid once never renews.");
  return periodAt({ anchor, interval, intervalCount, zone }, periodNumber + 1);
};

const countPaymentsSql = statement(
  "subscriptions.countPayments",
  `select (${paymentsMade("$1")}) as count`,
).narrow<{ count: number }>();

const countPayments = async (db: Db, subscriptionId: string) => {
  const row = await first(db, countPaymentsSql, [subscriptionId]);
  return row?.count ?? 0;
};

/**
 * The payment of a subscription's next period, pending until somebody or a provider says that it was made.
 * The database holds that there is one for each period, so a second worker finds it made.
 */
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
    snapshot: await takeSnapshot(db, offer, { uses: [] }),
  });
  const told = { at: now, source: "system" as const, sourceId: null };
  await insertEvents(db, id, [
    { type: "created", ...told },
    { type: "submitted", ...told },
  ]);
  return { id, total: net };
};

/** What the end of a period does to a subscription: the next payment falls due, or it is over. */
export const renew = async (db: Db, id: string, { now, zone }: { now: Date; zone: string }) => {
  const subscription = await lockSubscription(db, id);
  if (!subscription) return;
  const { status, periodEnd, accessUntil } = subscription;
  // Whoever waited for the lock may find it renewed.
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
  // What costs nothing is paid.
  const sale = await lockTransaction(db, transactionId);
  if (!sale) throw new Error("A renewal that was just made is not there.");
  const paid = { type: "succeeded" as const, at: now, source: "system" as const, sourceId: null };
  await applyEvents(db, sale, [paid], { now, zone });
};

const findDueSql = statement(
  "subscriptions.findDue",
  `(select id from subscriptions where status in ('trialing', 'active', 'ending') and period_end <= $1
     order by period_end limit 500)
   union all
   (select id from subscriptions where status = 'past due' and access_until <= $1
     order by access_until limit 500)`,
).narrow<{ id: string }>();

const findDue = async (db: Db, now: Date) => (await run(db, findDueSql, [now])).map(({ id }) => id);

/** Looks every minute for what is due. Each subscription is a step of its own, so that one cannot hold up another. */
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
