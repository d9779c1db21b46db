import type { Transaction } from "@purser/contract/transactions/fields";
import type { Db } from "#platform/db/db.ts";
import { insertEvents } from "../events/eventQueries.ts";
import { eventsUpTo } from "../events/states.ts";
import { type Charge, holdCharge, settleCharge } from "../lines/charge.ts";
import { insertLines } from "../lines/lineQueries.ts";
import { payeeOf } from "../lines/payee.ts";
import { findTransaction, insertTransaction } from "../queries.ts";
import { grantSale } from "./grantSale.ts";
import type { Item } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import type { Priced } from "./priceSale.ts";
import { redeemAll } from "./redeemPromotions.ts";
import { takeSnapshot } from "./snapshot.ts";

type Sale = {
  kind?: Transaction["kind"];
  userId: string;
  items: readonly Item[];
  priced: Priced;
  /** One for each item. */
  plans: readonly Plan[];
  charge: Charge;
  state: "draft" | "pending" | "succeeded";
  provider: string;
  reference: string | null;
  occurredAt: Date;
  reason?: string | null;
  note?: string;
  tags?: string[];
  by: string | null;
  zone: string;
};

/** The subscription whose package or quantity a sale changes. */
export const replacedBy = (plans: readonly Plan[]) =>
  plans.find(({ makes }) => makes === "change" || makes === "quantity")?.current ?? null;

/** What a draft takes is decided when it is submitted. */
const chargeOf = ({ state, charge, plans }: Sale) => {
  if (state === "draft") return { balanceAmount: 0, changesId: null, changesVersion: null };
  const { fromCredits, fromBalance } = charge.payment;
  const replaced = replacedBy(plans);
  return {
    balanceAmount: fromCredits + fromBalance,
    changesId: replaced?.id ?? null,
    changesVersion: replaced?.version ?? null,
  };
};

const insertSale = async (db: Db, sale: Sale, main: Item, now: Date) => {
  const { userId, priced, plans, state, provider, reason = null, note = "", tags = [] } = sale;
  const { subtotal, discount, tax, total, currency, trialDays } = priced.quote;
  const isPaid = state === "succeeded";
  const { packageId, versionId, priceId } = main.offer;
  return insertTransaction(db, {
    kind: sale.kind ?? (replacedBy(plans) ? "change" : "purchase"),
    state,
    userId,
    packageId,
    versionId,
    priceId,
    currency,
    subtotal,
    discount,
    tax,
    total,
    ...chargeOf(sale),
    taxIncluded: priced.isTaxIncluded,
    provider,
    reference: sale.reference,
    occurredAt: sale.occurredAt,
    settledAt: isPaid ? now : null,
    settledBy: isPaid ? payeeOf(provider) : null,
    reason,
    note,
    tags,
    snapshot: await takeSnapshot(db, main, { ...priced, trialDays }),
    createdBy: sale.by,
  });
};

/** Stores a sale, and grants access if it is already paid. */
export const recordSale = async (db: Db, sale: Sale, now: Date) => {
  const { userId, items, priced, plans, charge, state, occurredAt, by, zone } = sale;
  const [main] = items;
  if (!main) throw new Error("A sale has at least one item.");
  const { total, currency } = priced.quote;
  const transactionId = await insertSale(db, sale, main, now);
  const lineIds = await insertLines(db, transactionId, priced.lines);
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
  const about = { id: transactionId, userId, currency };
  const { fromBalance } = charge.payment;
  if (state !== "draft") await holdCharge(db, about, { credits: charge.credits, fromBalance });
  let subscriptionId: string | null = null;
  if (state === "succeeded") {
    const sold = items.map((item, place) => ({ ...item, lineId: lineIds[place] as string }));
    subscriptionId = await grantSale(db, { transactionId, userId, sold, plans, zone });
    const { balanceAmount } = chargeOf(sale);
    const provider = payeeOf(sale.provider);
    await settleCharge(db, { ...about, balanceAmount, total, provider }, now);
  }
  // Read before redeeming: other sales with the same promotions wait from then on.
  const recorded = await findTransaction(db, transactionId);
  if (!recorded) throw new Error("The recorded sale was not found.");
  if (state !== "draft")
    await redeemAll(db, { transactionId, userId, subscriptionId }, priced, now);
  return recorded;
};
