import {
  cancelSubscription,
  changeSubscription,
  extendSubscription,
  getSubscription,
  keepSubscription,
  listSubscriptions,
  pauseSubscription,
  previewChange,
  resumeSubscription,
  type Subscription as Shown,
  startTrial,
  subscriptionReply,
} from "@purser/contract/subscriptions/endpoints";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { zoneOf } from "#platform/settings.ts";
import { addDays, periodAt, proRata, resumedAt } from "../billing/periods.ts";
import {
  endRightsOfOthers,
  endSubscription,
  endSubscriptionGrants,
  findHeld,
  findShown,
  findShownOf,
  insertRight,
  insertSubscription,
  lockSubscription,
  type Subscription,
  updateSubscription,
} from "../billing/subscriptionQueries.ts";
import { lockCustomer, readRecord } from "../entitlements/customerQueries.ts";
import { refusalOfCustomer } from "../entitlements/rules.ts";
import { insertEvents, insertTransaction } from "../transactions/queries.ts";
import { accessOf, giveLastingFeatures, grantSale } from "../transactions/sales/grantSale.ts";
import { eventsOf } from "../transactions/sales/recordSale.ts";
import { type Offer, readOffer, takeSnapshot } from "../transactions/sales/sale.ts";
import {
  refusalToCancel,
  refusalToChange,
  refusalToExtend,
  refusalToKeep,
  refusalToPause,
  refusalToResume,
  refusalToTry,
} from "./rules.ts";

const readShown = async (db: Db, id: string) => existing(await findShown(db, id), "subscription");

type Locked = { shown: Shown; own: Subscription };

/** Locked first and read then, so that whoever waited sees what was done. */
const readLocked = async (db: Db, id: string): Promise<Locked> => {
  const own = existing(await lockSubscription(db, id), "subscription");
  return { own, shown: await readShown(db, id) };
};

export const subscriptionRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, listSubscriptions, async ({ db, params: { id }, session }) => {
    await readRecord(db, id, session);
    return { items: await findShownOf(db, id) };
  });

  serve(app, getSubscription, ({ db, params: { id } }) => readShown(db, id));

  serve(
    app,
    cancelSubscription,
    async ({ db, params: { id }, body: { when }, now, assertVersion }) => {
      const { shown } = await readLocked(db, id);
      refuse(refusalToCancel(assertVersion(shown, subscriptionReply), when));
      if (when === "period end") await updateSubscription(db, id, { status: "ending" });
      else await endSubscription(db, id, { at: now, revokedAt: now });
      return readShown(db, id);
    },
  );

  serve(app, keepSubscription, async ({ db, params: { id }, assertVersion }) => {
    const { shown } = await readLocked(db, id);
    refuse(refusalToKeep(assertVersion(shown, subscriptionReply)));
    const status = shown.status === "ending" ? "active" : shown.status;
    await updateSubscription(db, id, { status, changeVersionId: null, changePriceId: null });
    return readShown(db, id);
  });

  serve(app, extendSubscription, async ({ db, params: { id }, body, session, assertVersion }) => {
    const { shown, own } = await readLocked(db, id);
    refuse(refusalToExtend(assertVersion(shown, subscriptionReply)));
    const zone = await findZone(db);
    const periodEnd = addDays(own.periodEnd, body.days, zone);
    const accessUntil = addDays(own.accessUntil, body.days, zone);
    const given = { startsAt: own.accessUntil, endsAt: accessUntil };
    await insertRight(db, {
      userId: own.userId,
      packageId: own.packageId,
      versionId: own.versionId,
      ...given,
      subscriptionId: id,
      source: "staff",
      sourceId: session.userId,
      reason: body.reason,
    });
    await giveLastingFeatures(db, own, { sourceId: `extended ${id}`, ...given });
    // The next period begins where this one now ends.
    await updateSubscription(db, id, {
      periodEnd,
      accessUntil,
      anchor: periodEnd,
      periodNumber: -1,
    });
    return readShown(db, id);
  });

  serve(app, pauseSubscription, async ({ db, params: { id }, now, assertVersion }) => {
    const { shown } = await readLocked(db, id);
    refuse(refusalToPause(assertVersion(shown, subscriptionReply)));
    await endSubscriptionGrants(db, id, { at: now });
    await updateSubscription(db, id, { status: "paused", pausedAt: now });
    return readShown(db, id);
  });

  serve(app, resumeSubscription, async ({ db, params: { id }, now, assertVersion }) => {
    const { shown, own } = await readLocked(db, id);
    refuse(refusalToResume(assertVersion(shown, subscriptionReply)));
    const moved = resumedAt(own, now);
    const accessUntil = await accessOf(db, moved.periodEnd, await findZone(db));
    const left = { sourceId: `resumed ${id}`, startsAt: now, endsAt: accessUntil };
    const right = { userId: own.userId, packageId: own.packageId, versionId: own.versionId };
    await endRightsOfOthers(db, own, { at: now });
    await insertRight(db, { ...right, ...left, subscriptionId: id, source: "transaction" });
    await giveLastingFeatures(db, own, left);
    await updateSubscription(db, id, { status: "active", ...moved, accessUntil });
    return readShown(db, id);
  });
};

type Asked = {
  packageId: string;
  interval: Offer["interval"];
  intervalCount: number;
  when: "now" | "period end";
};

/** What another package costs, and from when: the rest of what was paid for is taken off. */
const planChange = async (
  db: Db,
  own: Subscription,
  { when, ...asked }: Asked,
  { now, zone }: { now: Date; zone: string },
) => {
  const offer = await readOffer(db, { ...asked, currency: own.currency });
  const paid = { start: own.periodStart, end: own.periodEnd };
  const isNow = when === "now";
  const credit = isNow ? proRata({ amount: own.paid, period: paid, at: now }) : 0;
  const start = isNow ? now : own.periodEnd;
  const { interval, intervalCount } = offer;
  const end =
    interval === "once" ? start : periodAt({ anchor: start, interval, intervalCount, zone }, 0).end;
  return {
    offer,
    period: { start, end },
    credit,
    discount: Math.min(credit, offer.amount),
    total: isNow ? offer.amount - Math.min(credit, offer.amount) : 0,
  };
};

export const trialRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, startTrial, async ({ db, body: { email, ...asked }, now }) => {
    const person = await lockCustomer(db, { email });
    refuse(refusalOfCustomer(person));
    const offer = await readOffer(db, asked);
    const { packageId, versionId, priceId, group, interval } = offer;
    const userId = person.id;
    refuse(refusalToTry(offer, await findHeld(db, { userId, packageId, group })));
    if (interval === "once")
      throw invalidAt("/interval", "once", "must be one that is paid again and again");
    const zone = await findZone(db);
    const end = addDays(now, offer.trialDays, zone);
    const accessUntil = await accessOf(db, end, zone);
    // What is paid for is counted from the end of the trial.
    const id = await insertSubscription(db, {
      userId,
      packageId,
      group,
      versionId,
      priceId,
      status: "trialing",
      anchor: end,
      periodNumber: -1,
      periodStart: now,
      periodEnd: end,
      accessUntil,
    });
    await insertRight(db, {
      userId,
      packageId,
      versionId,
      subscriptionId: id,
      source: "trial",
      sourceId: id,
      startsAt: now,
      endsAt: accessUntil,
    });
    return readShown(db, id);
  });
};

export const changeRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, previewChange, async ({ db, params: { id }, body, now }) => {
    const { shown, own } = await readLocked(db, id);
    refuse(refusalToChange(shown));
    const { offer, period, credit, discount, total } = await planChange(db, own, body, {
      now,
      zone: await findZone(db),
    });
    return {
      currency: offer.currency,
      price: offer.amount,
      credit,
      total,
      unusedCredit: credit - discount,
      from: period.start,
      until: period.end,
    };
  });

  serve(
    app,
    changeSubscription,
    async ({ db, params: { id }, body, now, session, assertVersion }) => {
      const { shown, own } = await readLocked(db, id);
      refuse(refusalToChange(assertVersion(shown, subscriptionReply)));
      const zone = await findZone(db);
      const plan = await planChange(db, own, body, { now, zone });
      const { offer, period, discount, total } = plan;
      if (body.when === "period end") {
        const change = { changeVersionId: offer.versionId, changePriceId: offer.priceId };
        await updateSubscription(db, id, change);
        return readShown(db, id);
      }
      const credit = { subscriptionId: id, package: own.packageName, amount: discount };
      const isFree = total === 0;
      const state = isFree ? "succeeded" : "pending";
      const transactionId = await insertTransaction(db, {
        kind: "change",
        state,
        userId: own.userId,
        packageId: offer.packageId,
        versionId: offer.versionId,
        priceId: offer.priceId,
        currency: offer.currency,
        subtotal: offer.amount,
        discount,
        tax: 0,
        total,
        provider: "change",
        reference: null,
        occurredAt: now,
        settledAt: isFree ? now : null,
        reason: body.reason,
        createdBy: session.userId,
        snapshot: await takeSnapshot(db, offer, { uses: [], credit }),
      });
      const told = { at: now, source: "staff" as const, sourceId: session.userId };
      await insertEvents(
        db,
        transactionId,
        eventsOf(state).map((type) => ({ type, ...told })),
      );
      if (isFree)
        await grantSale(db, {
          transactionId,
          userId: own.userId,
          offer,
          zone,
          plan: { makes: "change", period, anchor: period.start, current: own },
        });
      return readShown(db, id);
    },
  );
};
