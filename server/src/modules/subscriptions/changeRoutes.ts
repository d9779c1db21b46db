import {
  changeSubscription,
  previewChange,
  type Subscription as Shown,
  subscriptionReply,
  withdrawChange,
} from "@purser/contract/subscriptions/endpoints";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem, refuse } from "#platform/http/problem.ts";
import { type Call, serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { type Period, periodAt, type Rhythm } from "#platform/periods.ts";
import { zoneOf } from "#platform/settings.ts";
import { type Subscription, updateSubscription } from "../billing/subscriptionQueries.ts";
import { assertNoDispute, type Charge, shownCredit } from "../transactions/lines/charge.ts";
import { momentOf } from "../transactions/previewMoment.ts";
import { refundRest, splitRest } from "../transactions/refunds/refundRest.ts";
import { cancelOpenCharges } from "../transactions/sales/endSubscription.ts";
import { readOffer, refusalOfQuantity } from "../transactions/sales/offers.ts";
import { type Plan, rhythmOf } from "../transactions/sales/plan.ts";
import { priceAndCharge } from "../transactions/sales/planPurchase.ts";
import type { Share } from "../transactions/sales/priceSale.ts";
import { recordSale } from "../transactions/sales/recordSale.ts";
import { findPricingFacts } from "../transactions/sales/saleFactsQueries.ts";
import { compareAccess } from "./compareAccess.ts";
import { moneyApproval } from "./moneyApproval.ts";
import { readForUpdate, readShown } from "./queries.ts";
import { refusalOfTerms, refusalToChange, refusalToWithdraw } from "./rules.ts";

type Wanted = Pick<
  Call<typeof previewChange>["body"],
  "packageId" | "interval" | "intervalCount" | "quantity" | "when" | "currency"
>;

/** At the end of the period nothing is charged yet. */
const nothingDue: Charge = {
  credits: [],
  payment: { fromCredits: 0, fromBalance: 0, due: 0, toBalance: 0 },
};

/** The rest of the period in relation to a whole one. A trial costs nothing. */
const shareOfPeriod = (own: Subscription, rest: Period, zone: string): Share => {
  const whole = periodAt(rhythmOf(own, own.periodStart, zone) as Rhythm, 0);
  const length = +whole.end - +whole.start;
  const part = own.status === "trialing" ? 0 : Math.min(length, +rest.end - +rest.start);
  return { part, whole: length };
};

/** Everything that a change does. The preview shows it, and the change records it. */
export const planChange = async (
  db: Db,
  { own, shown }: { own: Subscription; shown: Shown },
  { when, quantity = own.quantity, ...wanted }: Wanted,
  { at, zone }: { at: Date; zone: string },
) => {
  refuse(refusalToChange(shown));
  const { packageId, interval, intervalCount, currency = own.currency } = wanted;
  const offer = await readOffer(db, { packageId, currency, interval, intervalCount });
  const item = { offer, quantity };
  refuse(refusalOfQuantity(item, 0));
  refuse(refusalOfTerms(own, item, when));
  const isNow = when === "now";
  const start = isNow ? at : own.periodEnd;
  if (isNow) await assertNoDispute(db, own.id, at);
  const keepsPeriod = isNow && offer.packageId === own.packageId;
  const rhythm = rhythmOf(offer, start, zone);
  if (!rhythm) throw new Error("A change to a one-time price was not refused.");
  const period = keepsPeriod ? { start, end: own.periodEnd } : periodAt(rhythm, 0);
  const bought = { items: [item], userId: own.userId, codes: [], at };
  const facts = await findPricingFacts(db, bought);
  const sale = {
    ...bought,
    zone,
    facts,
    share: keepsPeriod ? shareOfPeriod(own, period, zone) : undefined,
    usesBalance: own.billedBy === null,
  };
  const { priced, charge, promotions } = await priceAndCharge(db, sale, own);
  const plan: Plan = {
    makes: keepsPeriod ? "quantity" : "change",
    period,
    paid: period,
    anchor: keepsPeriod ? own.anchor : start,
    current: own,
  };
  return { item, period, priced, promotions, plan, facts, charge: isNow ? charge : nothingDue };
};

export const changeRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, previewChange, async ({ db, params: { id }, body, now }) => {
    const found = await readForUpdate(db, id);
    const zone = await findZone(db);
    const plan = await planChange(db, found, body, { at: now, zone });
    const { item, period, priced, charge, promotions } = plan;
    return {
      at: now,
      currency: priced.quote.currency,
      lines: priced.lines,
      credits: charge.credits.map(shownCredit),
      total: priced.quote.total,
      payment: charge.payment,
      promotions,
      access: await compareAccess(db, found.own, item),
      from: period.start,
      until: period.end,
    };
  });

  serve(
    app,
    changeSubscription,
    async ({ db, params: { id }, body, now, session, assertVersion, requireApproval }) => {
      const found = await readForUpdate(db, id);
      assertVersion(found.shown, subscriptionReply);
      const { own } = found;
      const zone = await findZone(db);
      const at = momentOf(body.at, now);
      const { plan, charge, ...planned } = await planChange(db, found, body, { at, zone });
      const { offer, quantity } = planned.item;
      if (body.when === "period end") {
        await updateSubscription(db, id, {
          changeVersionId: offer.versionId,
          changePriceId: offer.priceId,
          changeQuantity: quantity,
        });
        return readShown(db, id);
      }
      const { due } = charge.payment;
      if (body.due !== undefined && body.due !== due)
        throw new Problem(
          "impact_changed",
          message("change_price_changed", "The price has changed. Review it and try again."),
          { current: { due } },
        );
      const split = await splitRest(db, charge, body.rest);
      const out = split.refunds.reduce((sum, { amount }) => sum + amount, 0);
      if (out > 0)
        await requireApproval(
          "refund",
          moneyApproval(found.shown, own, out, { what: "Refund", ...body }),
        );
      await recordSale(
        db,
        {
          ...planned,
          kind: "change",
          userId: own.userId,
          items: [planned.item],
          plans: [plan],
          charge: split.charge,
          state: due === 0 ? "succeeded" : "pending",
          provider: "change",
          reference: null,
          occurredAt: at,
          reason: body.reason,
          by: session.userId,
          zone,
        },
        now,
      );
      for (const part of split.refunds)
        await refundRest(db, part, { reason: body.reason, by: session.userId, now });
      return readShown(db, id);
    },
  );
};

export const withdrawRoutes = (app: FastifyInstance) => {
  serve(app, withdrawChange, async ({ db, params: { id }, now, assertVersion }) => {
    const { shown } = await readForUpdate(db, id);
    refuse(refusalToWithdraw(assertVersion(shown, subscriptionReply)));
    await cancelOpenCharges(db, id, { at: now, why: "The change was withdrawn.", only: "change" });
    await updateSubscription(db, id, {
      changeVersionId: null,
      changePriceId: null,
      changeQuantity: null,
    });
    return readShown(db, id);
  });
};
