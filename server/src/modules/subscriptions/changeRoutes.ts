import {
  changeSubscription,
  previewChange,
  subscriptionReply,
} from "@purser/contract/subscriptions/endpoints";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { zoneOf } from "#platform/settings.ts";
import { periodAt, proRata } from "../billing/periods.ts";
import { type Subscription, updateSubscription } from "../billing/subscriptionQueries.ts";
import { insertEvents } from "../transactions/events/eventQueries.ts";
import { eventsUpTo } from "../transactions/events/states.ts";
import { insertTransaction } from "../transactions/queries.ts";
import { grantSale } from "../transactions/sales/grantSale.ts";
import type { Offer } from "../transactions/sales/offerQueries.ts";
import { readOffer } from "../transactions/sales/offers.ts";
import { takeSnapshot } from "../transactions/sales/snapshot.ts";
import { readForUpdate, readShown } from "./queries.ts";
import { refusalToChange } from "./rules.ts";

type Wanted = {
  packageId: string;
  interval: Offer["interval"];
  intervalCount: number;
  when: "now" | "period end";
};

/** A change now credits the unused part of the paid period. A change at its end costs nothing yet. */
const planChange = async (
  db: Db,
  own: Subscription,
  { when, ...wanted }: Wanted,
  { now, zone }: { now: Date; zone: string },
) => {
  const offer = await readOffer(db, { ...wanted, currency: own.currency });
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

export const changeRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, previewChange, async ({ db, params: { id }, body, now }) => {
    const { shown, own } = await readForUpdate(db, id);
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
      const { shown, own } = await readForUpdate(db, id);
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
        snapshot: await takeSnapshot(db, offer, { redemptions: [], credit }),
      });
      const entered = { at: now, source: "team" as const, sourceId: session.userId };
      await insertEvents(
        db,
        transactionId,
        eventsUpTo(state).map((type) => ({ type, ...entered })),
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
