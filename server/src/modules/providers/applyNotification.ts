import { formatMoney } from "@purser/contract/fields/amounts";
import type { Transaction } from "@purser/contract/transactions/fields";
import type { ProviderEvent } from "@purser/contract/transactions/providerEvents";
import type { Db } from "#platform/db/db.ts";
import { inSavepoint } from "#platform/db/savepoint.ts";
import { Problem, refuse } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { lockCustomer } from "../entitlements/customerQueries.ts";
import { refusalOfCustomer } from "../entitlements/rules.ts";
import { findUnknownCodes } from "../promotions/pricing/queries.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import { lockTransaction } from "../transactions/queries.ts";
import { recordRefund } from "../transactions/refunds/recordRefund.ts";
import { readOffer, unknownCode } from "../transactions/sales/offers.ts";
import { planFor } from "../transactions/sales/planFor.ts";
import { priceSale } from "../transactions/sales/priceSale.ts";
import { recordSale } from "../transactions/sales/recordSale.ts";
import type { Money, PaymentNotification } from "./provider.ts";
import { findPackageId, findRefund, findSaleOf, setRefundReference } from "./queries.ts";

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
  const { email, codes, tax, interval, intervalCount } = sale;
  const customer = await lockCustomer(db, { email });
  refuse(refusalOfCustomer(customer), [customer.name]);
  const { currency } = money;
  const offer = await readOffer(db, { packageId, currency, interval, intervalCount });
  const [unknown] = await findUnknownCodes(db, codes);
  if (unknown !== undefined) throw unknownCode(codes, unknown);
  const { now, zone } = when;
  const userId = customer.id;
  const priced = await priceSale(db, { offer, userId, codes, tax, at, zone });
  const { total, trialDays } = priced.quote;
  if (total !== money.amount)
    throw new Problem(
      "impact_changed",
      message(
        "payment_price_mismatch",
        "{paid} was paid, but the price is {price}. Record the sale manually or refund the payment.",
        { paid: money, price: { amount: total, currency } },
      ),
    );
  const plan = await planFor(db, { userId, offer, trialDays, at, zone });
  return recordSale(
    db,
    {
      userId,
      offer,
      priced,
      plan,
      state: "pending",
      provider,
      reference: payment,
      occurredAt: at,
      note: "",
      tags: [],
      by: null,
      zone,
    },
    now,
  );
};

/** How the paid amount differs from the requested one. A team member has to review such a payment. */
const differenceOf = ({ outcome, money }: Payment, { total, currency }: Transaction) =>
  outcome === "succeeded" && money && (money.amount !== total || money.currency !== currency)
    ? `${moneyText(money)} was paid, but ${moneyText({ amount: total, currency })} was due.`
    : null;

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
    when,
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
  const left = sale.total - sale.refunded;
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
      amount,
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

const applyTo = async (db: Db, sale: Transaction, received: Received, when: When) => {
  const { notification, provider, type, eventId } = received;
  if (notification.kind === "payment")
    return applyPayment(db, sale, { ...received, notification }, when);
  if (notification.kind === "refund")
    return applyRefund(db, sale, { ...received, notification }, when);
  const { outcome, at } = notification;
  const origin = {
    source: "provider" as const,
    sourceId: eventId,
    evidence: `${provider}: ${type}`,
  };
  await applyEvents(db, sale, [{ type: outcome, at, ...origin }], when);
  return { outcome: "applied" as const, words: `${sale.number}: ${outcome}` };
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
  const known = await findSaleOf(db, provider, notification);
  if (!known && (notification.kind !== "payment" || !notification.sale))
    return { outcome: "waiting", words: "No transaction matches this payment.", saleId: null };
  const applied = await inSavepoint(db, async () => {
    const saleId =
      known ??
      (await recordPaid(db, { ...received, notification: notification as Payment }, when)).id;
    const sale = await lockTransaction(db, saleId);
    if (!sale) throw new Error(`Transaction ${saleId} was not found.`);
    return { ...(await applyTo(db, sale, received, when)), saleId };
  });
  // For example a promotion that was used up in the meantime. A team member has to decide.
  return applied instanceof Problem
    ? { outcome: "unmatched", words: applied.message, saleId: known }
    : applied;
};
