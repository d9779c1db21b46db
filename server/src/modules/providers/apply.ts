import { formatMoney } from "@purser/contract/money";
import type { ProviderEvent } from "@purser/contract/providers";
import type { Transaction } from "@purser/contract/transactions";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { Problem } from "#platform/http/problem.ts";
import { lockCustomer } from "../entitlements/lookup.ts";
import { refusalOfPerson } from "../entitlements/rules.ts";
import { findUnknownCodes } from "../promotions/consider.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import { lockTransaction } from "../transactions/queries.ts";
import { recordRefund } from "../transactions/refunds/refund.ts";
import { planFor, recordSale } from "../transactions/sales/recordSale.ts";
import { priceSale, readOffer } from "../transactions/sales/sale.ts";
import type { Money, News } from "./news.ts";
import { findRefund, findSaleOf } from "./queries.ts";

export type When = { now: Date; zone: string };

type Outcome = Pick<ProviderEvent, "outcome"> & { words: string; saleId: string | null };

/** What is told, and by which event: the same event is told once. */
export type Telling = { provider: string; eventId: string; type: string; news: News };

const wordsOf = ({ amount, currency }: Money) => formatMoney(amount, currency);

const findPackageSql = statement(
  "providers.findPackage",
  "select id from packages where code = $1",
);

const findPackage = async (db: Db, code: string) => (await first(db, findPackageSql, [code]))?.id;

type Payment = Extract<News, { kind: "payment" }>;

/** A sale that nobody recorded before it was paid. It waits until the payment is told of it. */
const recordPaid = async (db: Db, { provider, news }: Telling & { news: Payment }, when: When) => {
  const { sale, money, at, payment } = news;
  const packageId = sale && (await findPackage(db, sale.package));
  if (!sale || !money || !packageId)
    throw new Problem("not_found", "Nothing here says what was bought with it.");
  const { email, codes, tax, interval, intervalCount } = sale;
  const person = await lockCustomer(db, { email });
  const refusal = refusalOfPerson(person);
  if (refusal) throw new Problem(refusal.code, refusal.detail);
  const { currency } = money;
  const offer = await readOffer(db, { packageId, currency, interval, intervalCount });
  const [unknown] = await findUnknownCodes(db, codes);
  if (unknown !== undefined)
    throw new Problem("not_found", `${unknown} is no code of a promotion.`);
  const { now, zone } = when;
  const userId = person.id;
  const priced = await priceSale(db, { offer, userId, codes, tax, at, zone });
  const { total, trialDays } = priced.quote;
  if (total !== money.amount)
    throw new Problem(
      "impact_changed",
      `${wordsOf(money)} were paid, but it costs ${wordsOf({ amount: total, currency })}.`,
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

/** A payment of another amount than was asked for is for somebody to look at. */
const differs = ({ outcome, money }: Payment, { total, currency }: Transaction) =>
  outcome === "succeeded" && money && (money.amount !== total || money.currency !== currency)
    ? `${wordsOf(money)} were paid, but ${wordsOf({ amount: total, currency })} were asked for.`
    : null;

const applyPayment = async (
  db: Db,
  sale: Transaction,
  { provider, eventId, type, news }: Telling & { news: Payment },
  when: When,
): Promise<Omit<Outcome, "saleId">> => {
  const difference = differs(news, sale);
  const told = { at: news.at, source: "provider" as const, sourceId: eventId };
  const evidence = `${provider}: ${type}${difference ? `. ${difference}` : ""}`;
  await applyEvents(
    db,
    sale,
    [
      ...(sale.state === "draft" ? [{ type: "submitted" as const, ...told }] : []),
      { type: difference ? "unknown" : news.outcome, ...told, evidence },
    ],
    when,
  );
  return difference
    ? { outcome: "unmatched", words: difference }
    : { outcome: "applied", words: `${sale.number}: ${news.outcome}` };
};

const refundable = ["succeeded", "partially refunded", "refunded", "disputed", "charged back"];

const applyRefund = async (
  db: Db,
  sale: Transaction,
  { provider, news }: Telling & { news: Extract<News, { kind: "refund" }> },
  { now }: When,
): Promise<Omit<Outcome, "saleId">> => {
  const { reference, money } = news;
  if (!refundable.includes(sale.state))
    return { outcome: "waiting", words: `${sale.number} is ${sale.state}: nothing to refund yet.` };
  const { amount } = money;
  const known = await findRefund(db, { provider, saleId: sale.id, reference, amount });
  if (known) {
    if (known.reference === null)
      await run(db, "update transactions set reference = $2 where id = $1", [known.id, reference]);
    return { outcome: "applied", words: "The refund was recorded already." };
  }
  const left = sale.total - sale.refunded;
  if (money.currency !== sale.currency || amount > left || sale.state === "charged back")
    return {
      outcome: "unmatched",
      words: `${wordsOf(money)} were refunded, but ${wordsOf({ amount: left, currency: sale.currency })} are left.`,
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
  return { outcome: "applied", words: `${sale.number}: ${wordsOf(money)} refunded` };
};

const applyTo = async (db: Db, sale: Transaction, telling: Telling, when: When) => {
  const { news, provider, type, eventId } = telling;
  if (news.kind === "payment") return applyPayment(db, sale, { ...telling, news }, when);
  if (news.kind === "refund") return applyRefund(db, sale, { ...telling, news }, when);
  const { outcome, at } = news;
  const told = { source: "provider" as const, sourceId: eventId, evidence: `${provider}: ${type}` };
  await applyEvents(db, sale, [{ type: outcome, at, ...told }], when);
  return { outcome: "applied" as const, words: `${sale.number}: ${outcome}` };
};

/**
 * Lets news do what they say, once, however often and in whatever order they come. What cannot be placed waits: what
 * it belongs to may still be told.
 */
export const applyNews = async (db: Db, telling: Telling, when: When): Promise<Outcome> => {
  const { provider, news } = telling;
  const known = await findSaleOf(db, provider, news);
  if (!known && (news.kind !== "payment" || !news.sale))
    return { outcome: "waiting", words: "No transaction is known for it.", saleId: null };
  await run(db, "savepoint news");
  try {
    const saleId = known ?? (await recordPaid(db, { ...telling, news: news as Payment }, when)).id;
    const sale = await lockTransaction(db, saleId);
    if (!sale) throw new Error(`Transaction ${saleId} is not there any more.`);
    return { ...(await applyTo(db, sale, telling, when)), saleId };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A refusal, such as a promotion that was used up meanwhile: somebody has to look at it.
    await run(db, "rollback to savepoint news");
    return { outcome: "unmatched", words: error.message, saleId: known };
  }
};
