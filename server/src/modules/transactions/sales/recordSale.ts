import type { Transaction } from "@purser/contract/transactions/fields";
import type { createTransaction } from "@purser/contract/transactions/sales";
import { totalOf } from "#modules/billing/credits.ts";
import { creditEntry, saleEntry, taxAccountOf } from "#modules/ledger/journal.ts";
import { problemOfRefusal } from "#modules/promotions/redeem.ts";
import { redeemOrFail, refusedIn } from "#modules/promotions/redemptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import type { Call, Last } from "#platform/http/serve.ts";
import { eventsUpTo } from "../events/states.ts";
import type { Charge } from "../lines/charge.ts";
import { payeeOf } from "../lines/payee.ts";
import { continueReplaced } from "./grantSale.ts";
import type { Item } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import { prepareAccess } from "./prepareAccess.ts";
import type { Priced } from "./priceSale.ts";
import { grantPromotedFeatures, promotedGrants } from "./promotedFeatures.ts";
import { redeemedBy } from "./redeemPromotions.ts";
import type { PricingFacts } from "./saleFactsQueries.ts";
import { findVersionFeatures, type VersionFeature } from "./saleQueries.ts";
import { snapshotOf } from "./snapshot.ts";
import { type Access, type NewSale, writeSale } from "./writeSaleQueries.ts";

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
  facts: Pick<PricingFacts, "graceDays" | "hasTransferredGrants">;
  /** The features of the first item's version, if they were read before. */
  features?: readonly VersionFeature[] | undefined;
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

const transactionOf = async (
  db: Db,
  sale: Sale,
  main: Item,
  now: Date,
): Promise<NewSale["transaction"]> => {
  const { userId, priced, plans, state, provider, reason = null, note = "", tags = [] } = sale;
  const { subtotal, discount, tax, total, currency, trialDays } = priced.quote;
  const isPaid = state === "succeeded";
  const period = isPaid ? plans[0]?.period : null;
  const { packageId, versionId, priceId } = main.offer;
  const features = sale.features ?? (await findVersionFeatures(db, versionId));
  return {
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
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
    occurredAt: sale.occurredAt,
    settledAt: isPaid ? now : null,
    settledBy: isPaid ? payeeOf(provider) : null,
    reason,
    note,
    tags,
    snapshot: snapshotOf(main, features, { ...priced, trialDays }),
    createdBy: sale.by,
  };
};

/** What a paid sale gives. Features of promotions that continue are granted once the new subscription is stored. */
const accessOf = async (db: Db, { items, plans, priced, userId, zone, facts }: Sale) => {
  const { graceDays, hasTransferredGrants } = facts;
  const access: Access[] = [];
  for (const [place, item] of items.entries()) {
    const terms = { userId, zone, graceDays, hasTransferredGrants, transactionId: null };
    access.push(await prepareAccess(db, { ...item, ...terms, plan: plans[place] as Plan }));
  }
  const [plan, main] = [plans[0], access[0]];
  if (plan && main && plan.makes !== "change") {
    const { continuedId } = main;
    main.grants.push(...(await promotedGrants(db, priced, { plan, continuedId, graceDays, zone })));
  }
  return access;
};

/**
 * The entries of the balance and the journal. Credits of a change go to the balance, which then pays its part of the
 * sale. They are held until the sale is paid.
 */
const moneyOf = (sale: Sale): Pick<NewSale, "balance" | "entries" | "credits"> => {
  const { state, charge, priced, provider } = sale;
  const { credits, payment } = charge;
  if (state === "draft") return { credits: { state: "held", rows: [] }, balance: [], entries: [] };
  const fromBalance = { amount: -payment.fromBalance, kind: "payment" as const };
  if (state === "pending")
    return { credits: { state: "held", rows: credits }, balance: [fromBalance], entries: [] };
  const { balanceAmount } = chargeOf(sale);
  const lines = priced.lines.map((line) => ({ ...line, taxAccount: taxAccountOf(line) }));
  return {
    credits: { state: "applied", rows: credits },
    balance: [
      fromBalance,
      { amount: totalOf(credits), kind: "credit" },
      { amount: -payment.fromCredits, kind: "payment" },
    ],
    entries: [
      creditEntry(credits),
      saleEntry(lines, { provider: payeeOf(provider), balanceAmount }),
    ],
  };
};

type Recorded = Pick<Transaction, "id" | "subscriptionId" | "currency">;

/** The promotions that a recorded sale redeems, as a statement that is sent with the commit. */
const redeemingLast = (
  { userId, priced }: Sale,
  { id: transactionId, subscriptionId, currency }: Recorded,
  now: Date,
): Last => {
  const about = { userId, transactionId, subscriptionId, currency };
  const redemptions = redeemedBy(priced).map((redeemed) => ({ ...about, ...redeemed }));
  const nameOf = (id: string) =>
    priced.redemptions.find(({ promotion }) => promotion.id === id)?.promotion.name;
  return {
    text: redeemOrFail(redemptions, now),
    problemOf: (error) => {
      const refused = refusedIn(error);
      return refused ? problemOfRefusal(refused.refusal, nameOf(refused.promotionId)) : error;
    },
  };
};

/**
 * Stores a sale, and grants access if it is already paid. Redeeming its promotions is the last step, because other
 * sales with them wait from then on.
 */
export const recordSale = async (
  db: Db,
  sale: Sale,
  now: Date,
  lastly: Call<typeof createTransaction>["lastly"] = null,
) => {
  const { userId, items, priced, plans, state, occurredAt, by, zone } = sale;
  const [[main], [plan]] = [items, plans];
  if (!main || !plan) throw new Error("A sale has at least one item.");
  const isPaid = state === "succeeded";
  const redeemed = state === "draft" ? [] : redeemedBy(priced);
  const source = by === null ? ("system" as const) : ("team" as const);
  const { transaction, subscriptionIds } = await writeSale(db, {
    transaction: await transactionOf(db, sale, main, now),
    lines: priced.lines,
    access: isPaid ? await accessOf(db, sale) : [],
    events: eventsUpTo(state).map((type) => ({
      type,
      at: type === "created" ? now : occurredAt,
      source,
      sourceId: by,
    })),
    ...moneyOf(sale),
    redemptions: lastly ? [] : redeemed,
    isPaid,
    now,
  });
  if (isPaid && plans.some(({ makes }) => makes === "change")) {
    await continueReplaced(db, { items, plans }, subscriptionIds);
    const granted = { transactionId: transaction.id, userId, plan, zone };
    if (plan.makes === "change")
      await grantPromotedFeatures(db, granted, transaction.subscriptionId);
  }
  if (redeemed.length > 0) lastly?.(redeemingLast(sale, transaction, now));
  return transaction;
};
