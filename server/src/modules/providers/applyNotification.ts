import { formatMoney } from "@purser/contract/fields/amounts";
import type { Transaction } from "@purser/contract/transactions/fields";
import type { ProviderEvent } from "@purser/contract/transactions/providerEvents";
import type { Db } from "#platform/db/db.ts";
import { inSavepoint } from "#platform/db/savepoint.ts";
import { Problem, refuse } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { restOfAll, totalOf } from "../billing/credits.ts";
import { lockSubscription, setBilling } from "../billing/subscriptionQueries.ts";
import { lockCustomer } from "../entitlements/customerQueries.ts";
import { refusalOfCustomer } from "../entitlements/rules.ts";
import { findUnknownCodes } from "../promotions/pricing/queries.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import type { Charge } from "../transactions/lines/charge.ts";
import { lockLines } from "../transactions/lines/lineQueries.ts";
import { lockTransaction } from "../transactions/queries.ts";
import { creditInOrder } from "../transactions/refunds/planRefund.ts";
import { recordRefund } from "../transactions/refunds/recordRefund.ts";
import { findCash } from "../transactions/refunds/refundQueries.ts";
import { endWithPeriod } from "../transactions/sales/endSubscription.ts";
import {
  readOffer,
  refusalOfAddOns,
  refusalOfQuantity,
  unknownCode,
} from "../transactions/sales/offers.ts";
import { planPurchase } from "../transactions/sales/planPurchase.ts";
import type { GivenTax } from "../transactions/sales/priceSale.ts";
import { recordSale } from "../transactions/sales/recordSale.ts";
import { findPricingFacts } from "../transactions/sales/saleFactsQueries.ts";
import type { Money, PaymentNotification } from "./provider.ts";
import {
  findPackageId,
  findRefund,
  findSaleOf,
  insertReferences,
  referencesOf,
  setRefundReference,
} from "./queries.ts";

export type When = { now: Date; zone: string };

type Outcome = Pick<ProviderEvent, "outcome"> & { words: string; saleId: string | null };

/** A notification and the provider event that it came with. The event is applied only once. */
export type Received = {
  provider: string;
  eventId: string;
  type: string;
  notification: PaymentNotification;
};

const moneyText = ({ amount, currency }: Money) => formatMoney(amount, currency);

type Payment = Extract<PaymentNotification, { kind: "payment" }>;
type ReceivedPayment = Received & { notification: Payment };

/** Records a sale that Purser didn't know yet. It is pending until the notification is applied to it. */
const recordPaid = async (db: Db, { provider, notification }: ReceivedPayment, when: When) => {
  const { sale, money, at, payment } = notification;
  const packageId = sale && (await findPackageId(db, sale.package));
  if (!sale || !money || !packageId)
    throw new Problem(
      "not_found",
      message(
        "payment_without_sale",
        "The payment doesn't specify a package. Record the sale manually.",
      ),
    );
  const { email, codes, tax, interval, intervalCount, quantity } = sale;
  const customer = await lockCustomer(db, { email });
  refuse(refusalOfCustomer(customer), [customer.name]);
  const { currency } = money;
  const offer = await readOffer(db, { packageId, currency, interval, intervalCount });
  const [unknown] = await findUnknownCodes(db, codes);
  if (unknown !== undefined) throw unknownCode(codes, unknown);
  const { now, zone } = when;
  const userId = customer.id;
  const item = { offer, quantity };
  const items = [item];
  refuse(refusalOfQuantity(item, 0));
  refuse(await refusalOfAddOns(db, items, { userId, at }));
  const givenTax: GivenTax | null =
    tax === null ? null : { amount: tax, treatment: "provider", reason: null };
  const facts = await findPricingFacts(db, { items, userId, codes, at });
  const purchase = { items, userId, codes, givenTax, at, zone, facts };
  const planned = await planPurchase(db, { ...purchase, usesBalance: false });
  const { total } = planned.priced.quote;
  const { due } = planned.charge.payment;
  // The app that requested the payment may or may not have subtracted the credit for the replaced package.
  if (money.amount !== total && money.amount !== due)
    throw new Problem(
      "impact_changed",
      message(
        "payment_price_mismatch",
        "{paid} was paid, but the price is {price}. Record the sale manually or refund the payment.",
        { paid: money, price: { amount: due, currency } },
      ),
    );
  const charge = money.amount === due ? planned.charge : unusedCharge(planned.charge, total);
  return recordSale(
    db,
    {
      ...planned,
      userId,
      items,
      charge,
      state: "pending",
      provider,
      reference: payment,
      occurredAt: at,
      by: null,
      zone,
    },
    now,
  );
};

/** The full price was paid, so that the credits go to the balance. */
const unusedCharge = ({ credits }: Charge, total: number): Charge => {
  const toBalance = totalOf(credits);
  return { credits, payment: { fromCredits: 0, fromBalance: 0, due: total, toBalance } };
};

/** How the paid amount differs from the requested one. A team member has to review such a payment. */
const differenceOf = (
  { outcome, money }: Payment,
  { total, balanceAmount, currency }: Transaction,
) => {
  const due = { amount: total - balanceAmount, currency };
  return outcome === "succeeded" &&
    money &&
    (money.amount !== due.amount || money.currency !== currency)
    ? `${moneyText(money)} was paid, but ${moneyText(due)} was due.`
    : null;
};

const applyPayment = async (
  db: Db,
  sale: Transaction,
  { provider, eventId, type, notification }: ReceivedPayment,
  when: When,
): Promise<Omit<Outcome, "saleId">> => {
  const difference = differenceOf(notification, sale);
  const origin = { at: notification.at, source: "provider" as const, sourceId: eventId };
  const evidence = `${provider}: ${type}${difference ? `. ${difference}` : ""}`;
  await applyEvents(
    db,
    sale,
    [
      ...(sale.state === "draft" ? [{ type: "submitted" as const, ...origin }] : []),
      { type: difference ? "unknown" : notification.outcome, ...origin, evidence },
    ],
    { ...when, provider },
  );
  return difference
    ? { outcome: "unmatched", words: difference }
    : { outcome: "applied", words: `${sale.number}: ${notification.outcome}` };
};

const refundable = ["succeeded", "partially refunded", "refunded", "disputed", "charged back"];

const applyRefund = async (
  db: Db,
  sale: Transaction,
  {
    provider,
    notification,
  }: Received & { notification: Extract<PaymentNotification, { kind: "refund" }> },
  { now }: When,
): Promise<Omit<Outcome, "saleId">> => {
  const { reference, money } = notification;
  if (!refundable.includes(sale.state))
    return { outcome: "waiting", words: `${sale.number} isn't paid yet, so it can't be refunded.` };
  const { amount } = money;
  const known = await findRefund(db, { provider, saleId: sale.id, reference, amount });
  if (known) {
    if (known.reference === null) await setRefundReference(db, known.id, reference);
    return { outcome: "applied", words: "This refund was already recorded." };
  }
  const lines = await lockLines(db, sale.id);
  const left = Math.min(await findCash(db, sale.id), restOfAll(lines));
  if (money.currency !== sale.currency || amount > left || sale.state === "charged back")
    return {
      outcome: "unmatched",
      words: `${moneyText(money)} was refunded, but only ${moneyText({ amount: left, currency: sale.currency })} can be refunded.`,
    };
  const isFull = amount === left;
  await recordRefund(
    db,
    sale,
    {
      kind: "refund",
      userId: (await lockCustomer(db, { userId: sale.user.id })).id,
      lines,
      credits: creditInOrder(lines, amount),
      amount,
      toBalance: 0,
      access: isFull ? "end now" : "keep",
      provider,
      reference,
      reason: `Refunded at ${provider}`,
      note: "",
      by: null,
    },
    now,
  );
  return { outcome: "applied", words: `${sale.number}: ${moneyText(money)} refunded` };
};

type About = Received & {
  notification: Exclude<PaymentNotification, { kind: "billing" | "notice" }>;
};

const applyTo = async (db: Db, sale: Transaction, received: About, when: When) => {
  const { notification, provider, type, eventId } = received;
  if (notification.kind === "payment")
    return applyPayment(db, sale, { ...received, notification }, when);
  if (notification.kind === "refund")
    return applyRefund(db, sale, { ...received, notification }, when);
  if (notification.kind === "names")
    return {
      outcome: "applied" as const,
      words: `${sale.number}: ${referencesOf(notification).join(", ")}`,
    };
  const { outcome, at, dueAt } = notification;
  const origin = {
    source: "provider" as const,
    sourceId: eventId,
    evidence: `${provider}: ${type}`,
  };
  await applyEvents(db, sale, [{ type: outcome, at, dueAt, ...origin }], { ...when, provider });
  return { outcome: "applied" as const, words: `${sale.number}: ${outcome}` };
};

/** Remembers who bills a subscription. One that the provider ended doesn't renew. */
const applyBilling = async (
  db: Db,
  provider: string,
  { subscriptionId, reference, isOver }: Extract<PaymentNotification, { kind: "billing" }>,
  now: Date,
): Promise<Outcome> => {
  const current = subscriptionId === null ? undefined : await lockSubscription(db, subscriptionId);
  if (!current)
    return { outcome: "waiting", words: "No subscription matches this event.", saleId: null };
  if (current.status === "ended")
    return { outcome: "applied", words: "The subscription has ended.", saleId: null };
  await setBilling(db, current.id, isOver ? null : { provider, reference });
  if (!isOver) return { outcome: "applied", words: `Billed by ${provider}`, saleId: null };
  await endWithPeriod(db, current, now);
  const words = "The provider ended the subscription, so it ends with its period.";
  return { outcome: "applied", words, saleId: null };
};

/**
 * Applies a notification once, however often and in whatever order notifications arrive. One without a known
 * transaction waits, because the transaction may still be recorded.
 */
export const applyNotification = async (
  db: Db,
  received: Received,
  when: When,
): Promise<Outcome> => {
  const { provider, notification } = received;
  if (notification.kind === "notice")
    return { outcome: "unmatched", words: notification.words, saleId: null };
  if (notification.kind === "billing") return applyBilling(db, provider, notification, when.now);
  const known = await findSaleOf(db, provider, notification);
  if (!known && (notification.kind !== "payment" || !notification.sale))
    return { outcome: "waiting", words: "No transaction matches this payment.", saleId: null };
  const applied = await inSavepoint(db, async () => {
    const saleId =
      known ??
      (await recordPaid(db, { ...received, notification: notification as Payment }, when)).id;
    const sale = await lockTransaction(db, saleId);
    if (!sale) throw new Error(`Transaction ${saleId} was not found.`);
    await insertReferences(db, saleId, { provider, references: referencesOf(notification) });
    return { ...(await applyTo(db, sale, { ...received, notification }, when)), saleId };
  });
  // For example a promotion that was used up in the meantime. A team member has to decide.
  return applied instanceof Problem
    ? { outcome: "unmatched", words: applied.message, saleId: known }
    : applied;
};
