import type { Db } from "#platform/db/db.ts";
import { insertEvents } from "../events/eventQueries.ts";
import { eventsUpTo } from "../events/states.ts";
import { findTransaction, insertTransaction } from "../queries.ts";
import { grantSale } from "./grantSale.ts";
import type { Offer } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import type { Priced } from "./priceSale.ts";
import { redeemAll } from "./redeemPromotions.ts";
import { takeSnapshot } from "./snapshot.ts";

type Sale = {
  userId: string;
  offer: Offer;
  priced: Priced;
  plan: Plan;
  state: "draft" | "pending" | "succeeded";
  provider: string;
  reference: string | null;
  occurredAt: Date;
  note: string;
  tags: string[];
  by: string | null;
  zone: string;
};

/** Stores a sale, and grants access if it is already paid. */
export const recordSale = async (db: Db, sale: Sale, now: Date) => {
  const { userId, offer, priced, plan, state, provider, reference, occurredAt, by, zone } = sale;
  const { subtotal, discount, tax, total, currency } = priced.quote;
  const transactionId = await insertTransaction(db, {
    kind: plan.makes === "change" ? "change" : "purchase",
    state,
    userId,
    packageId: offer.packageId,
    versionId: offer.versionId,
    priceId: offer.priceId,
    currency,
    subtotal,
    discount,
    tax,
    total,
    provider,
    reference,
    occurredAt,
    settledAt: state === "succeeded" ? now : null,
    note: sale.note,
    tags: sale.tags,
    snapshot: await takeSnapshot(db, offer, { ...priced, trialDays: priced.quote.trialDays }),
    createdBy: by,
  });
  const source = by === null ? ("system" as const) : ("team" as const);
  await insertEvents(
    db,
    transactionId,
    eventsUpTo(state).map((type) => ({
      type,
      at: type === "created" ? now : occurredAt,
      source,
      sourceId: by,
    })),
  );
  const subscriptionId =
    state === "succeeded"
      ? await grantSale(db, { transactionId, userId, offer, plan, zone })
      : null;
  // Read before redeeming: other sales with the same promotions wait from then on.
  const recorded = await findTransaction(db, transactionId);
  if (!recorded) throw new Error("The recorded sale was not found.");
  if (state !== "draft")
    await redeemAll(db, { transactionId, userId, subscriptionId }, priced, now);
  return recorded;
};
