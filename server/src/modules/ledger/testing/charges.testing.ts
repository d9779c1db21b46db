import { amountOff, lineOf, percentOff } from "#modules/promotions/pricing/testing/arbitraries.ts";
import type { Rhythm } from "#platform/periods.ts";
import {
  add,
  availableIn,
  type Books,
  cashLeftOf,
  found,
  grossOf,
  keepUnused,
  type LineCredit,
  paidLines,
  post,
  type SoldLine,
  sumOf,
  type Transaction,
  transactionWith,
} from "./books.testing.ts";
import { type ChargedItem, type ChargeFact, providerOf, walletOf } from "./facts.testing.ts";
import type { DiscountTerms } from "./history.testing.ts";

const amountOf = ({ amount }: { amount: number }) => amount;

const promotionOf = ({ level, basisPoints, amount, payments }: DiscountTerms, currency: string) => {
  const more = { level, duration: { kind: "periods", periods: payments } } as const;
  return basisPoints === null
    ? amountOff("discount", { [currency]: amount }, more)
    : { ...percentOff("discount", 0, more), basisPoints };
};

const rhythmOf = ({ world }: Books, item: ChargedItem, anchor: Date): Rhythm | null =>
  item.interval === "once"
    ? null
    : {
        anchor,
        interval: item.interval,
        intervalCount: item.intervalCount,
        zone: world.zone,
      };

const periodOf = (books: Books, item: ChargedItem, anchor: Date, index: number) => {
  const rhythm = rhythmOf(books, item, anchor);
  return rhythm && books.product.periodAt(rhythm, index);
};

/** A renewal pays for the next period, a change for one from now on. That of a purchase starts when it is paid. */
const plannedPeriod = (books: Books, fact: ChargeFact, item: ChargedItem) => {
  if (fact.kind === "purchase") return null;
  if (fact.kind === "change") return periodOf(books, item, fact.at, 0);
  const { anchor, periodNumber } = found(books.subscriptions, fact.subscription);
  return periodOf(books, item, anchor, periodNumber + 1);
};

const linesOf = (books: Books, fact: ChargeFact): SoldLine[] => {
  const { product, world } = books;
  const isIncluded = world.currencies.some(
    ({ code, taxIncluded }) => code === fact.currency && taxIncluded,
  );
  const { lines } = product.priceOfPeriod(
    {
      lines: fact.items.map(({ thing, interval, intervalCount, unitAmount, quantity }) =>
        lineOf(unitAmount * quantity, {
          packageId: thing,
          interval,
          intervalCount,
          currency: fact.currency,
        }),
      ),
      redeemed: fact.discount ? [promotionOf(fact.discount, fact.currency)] : [],
    },
    fact.payment,
  );
  return fact.items.map((item, place) => ({
    ...product.taxOf(lines[place]?.net ?? 0, item.tax.taxBasisPoints, isIncluded),
    id: item.id,
    item,
    taxAccount: product.taxAccountOf(item.tax),
    subscription: fact.subscription,
    period: plannedPeriod(books, fact, item),
    since: fact.at,
  }));
};

export const charge = (books: Books, fact: ChargeFact) => {
  const lines = linesOf(books, fact);
  const changed = paidLines(books).filter(
    ({ subscription }) => fact.kind === "change" && subscription === fact.subscription,
  );
  const credits = changed.flatMap((line) => keepUnused(books, line, fact.at, "held"));
  const payment = books.product.payWith(sumOf(lines, grossOf), {
    credited: sumOf(credits, grossOf),
    balance: fact.useBalance ? availableIn(books, walletOf(fact)) : 0,
  });
  const transaction: Transaction = {
    fact,
    lines,
    credits,
    returns: returnsOf(books, fact, credits, payment.toBalance),
    payment,
    state: "pending",
    received: 0,
    returned: 0,
  };
  books.transactions.set(fact.id, transaction);
  if (payment.due === 0) settle(books, transaction, fact.at);
  return transaction;
};

const startSubscriptions = (books: Books, { fact, lines }: Transaction, at: Date) => {
  const { customer, currency, discount, freeDays } = fact;
  const anchor = freeDays > 0 ? books.product.addDays(at, freeDays, books.world.zone) : at;
  for (const line of lines) {
    const { id, item } = line;
    line.period = periodOf(books, item, anchor, 0);
    line.since = at;
    if (!line.period) continue;
    line.subscription = id;
    books.subscriptions.set(id, {
      id,
      customer,
      currency,
      item,
      discount,
      payments: 1,
      anchor,
      periodNumber: 0,
      periodStart: line.period.start,
      periodEnd: line.period.end,
      pauses: [],
      endedAt: null,
    });
  }
};

const continueSubscription = (books: Books, { fact, lines }: Transaction) => {
  const subscription = found(books.subscriptions, fact.subscription);
  const [line] = lines;
  if (!line?.period) return;
  const isChange = fact.kind === "change";
  Object.assign(subscription, {
    ...(isChange && { item: line.item, discount: fact.discount, anchor: fact.at }),
    periodNumber: isChange ? 0 : subscription.periodNumber + 1,
    payments: isChange ? 1 : subscription.payments + 1,
    periodStart: line.period.start,
    periodEnd: line.period.end,
  });
};

/** What is left of the credits goes back to the payment method, as far as it came from there. */
const returnsOf = (books: Books, { rest }: ChargeFact, credits: LineCredit[], left: number) => {
  const returns: Transaction["returns"] = [];
  if (rest === "balance") return returns;
  for (const { line, gross } of credits) {
    const source = transactionWith(books, line);
    const taken = sumOf(returns, ({ from, amount }) => (from === source ? amount : 0));
    const most = Math.min(gross, cashLeftOf(books, source) - taken);
    returns.push({ from: source, amount: Math.min(most, left - sumOf(returns, amountOf)) });
  }
  return returns;
};

/** Credits enter the balance and pay the charge together with what was there. The rest is cash. */
const settle = (books: Books, transaction: Transaction, at: Date) => {
  const { product, balances } = books;
  const { fact, lines, credits, returns, payment } = transaction;
  const provider = providerOf(fact.customer);
  transaction.state = "paid";
  transaction.received = payment.due;
  if (fact.kind === "purchase") startSubscriptions(books, transaction, at);
  else continueSubscription(books, transaction);
  for (const credit of credits) credit.state = "applied";
  for (const { from, amount } of returns) from.returned += amount;
  const returned = sumOf(returns, amountOf);
  const credited = sumOf(credits, grossOf) - returned;
  const entry =
    returned > 0
      ? product.refundEntry(credits, { provider, balanceAmount: credited })
      : product.creditEntry(credits);
  if (credits.length > 0) post(books, entry, fact.id, walletOf(fact));
  const balanceAmount = payment.fromCredits + payment.fromBalance;
  post(books, product.saleEntry(lines, { provider, balanceAmount }), fact.id, walletOf(fact));
  add(balances, walletOf(fact), credited - balanceAmount);
};

/** A payment for what was withdrawn goes to the balance. One that was reported before has no effect. */
export const pay = (books: Books, id: string, at: Date) => {
  const { product } = books;
  const transaction = found(books.transactions, id);
  const { fact, payment } = transaction;
  const isWithdrawn = transaction.state === "withdrawn" || transaction.state === "overpaid";
  if (product.isPosted(books.journal, isWithdrawn ? "payment" : "sale", id)) return;
  if (!isWithdrawn) return settle(books, transaction, at);
  const entry = product.paymentEntry({ provider: providerOf(fact.customer), amount: payment.due });
  post(books, entry, id, walletOf(fact));
  add(books.balances, walletOf(fact), payment.due);
  transaction.state = "overpaid";
  transaction.received += payment.due;
};

/** Releases the credits that the charge holds. */
export const withdraw = ({ transactions }: Books, id: string) => {
  const transaction = found(transactions, id);
  transaction.state = "withdrawn";
  for (const credit of transaction.credits) credit.state = "released";
};
