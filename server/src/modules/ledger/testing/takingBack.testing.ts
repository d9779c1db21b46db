import {
  add,
  availableIn,
  type Books,
  cashLeftOf,
  creditable,
  found,
  grossOf,
  keep,
  keepUnused,
  type LineCredit,
  post,
  type SoldLine,
  sumOf,
} from "./books.testing.ts";
import { providerOf, type RefundFact, walletOf } from "./facts.testing.ts";

const keepAmount = (books: Books, line: SoldLine, amount: number): LineCredit[] => {
  const part = Math.min(amount, books.product.restOf(creditable(books, line)));
  if (part === 0) return [];
  return [keep(books, line, books.product.creditAmount(creditable(books, line), part), "applied")];
};

const creditsFor = (books: Books, fact: RefundFact, line: SoldLine, place: number) => {
  if (fact.of === "unused" && line.period) return keepUnused(books, line, fact.at, "applied");
  // Access without an end is never used up.
  const wanted = fact.of === "amount" ? fact.amounts[place] : Number.MAX_SAFE_INTEGER;
  return keepAmount(books, line, wanted ?? 0);
};

export const refund = (books: Books, fact: RefundFact) => {
  const transaction = found(books.transactions, fact.transaction);
  const credits = transaction.lines.flatMap((line, place) => creditsFor(books, fact, line, place));
  if (credits.length === 0) return;
  const total = sumOf(credits, grossOf);
  const wallet = walletOf(transaction.fact);
  const toMethod = fact.to === "balance" ? 0 : Math.min(total, cashLeftOf(books, transaction));
  const to = { provider: providerOf(transaction.fact.customer), balanceAmount: total - toMethod };
  post(books, books.product.refundEntry(credits, to), fact.id, wallet);
  add(books.balances, wallet, total - toMethod);
  transaction.returned += toMethod;
};

type MoneyBack = { id: string; transaction: string; amount: number | null };

/**
 * The bank or the provider took money back: what is left of the lines, one after the other, then what is there of
 * the balance. The customer owes the rest.
 */
export const takeBack = (books: Books, { id, transaction: of, amount: wanted }: MoneyBack) => {
  const { product } = books;
  const kind = wanted === null ? "chargeback" : "refund";
  if (product.isPosted(books.journal, kind, id)) return;
  const transaction = found(books.transactions, of);
  const { fact, state, payment } = transaction;
  const wallet = walletOf(fact);
  const provider = providerOf(fact.customer);
  const lines = state === "paid" ? transaction.lines : [];
  const amount = Math.min(wanted ?? payment.due, payment.due);
  const parts = product.payWith(amount, {
    credited: sumOf(lines, (line) => product.restOf(creditable(books, line))),
    balance: availableIn(books, wallet),
  });
  let left = parts.fromCredits;
  const credits: LineCredit[] = [];
  for (const line of lines) {
    const kept = keepAmount(books, line, left);
    credits.push(...kept);
    left -= sumOf(kept, grossOf);
  }
  const entry =
    kind === "refund" && parts.fromCredits === amount
      ? product.refundEntry(credits, { provider, balanceAmount: 0 })
      : product.chargebackEntry(credits, { provider, amount, fromBalance: parts.fromBalance });
  post(books, { ...entry, kind }, id, wallet);
  add(books.balances, wallet, -parts.fromBalance);
  add(books.receivables, wallet, parts.due);
  transaction.returned += amount;
};

/** Pays what customers owe from their balance and returns the rest, as a refund that takes from the balance. */
export const returnBalances = (books: Books) => {
  const { product, balances, receivables } = books;
  for (const [wallet, balance] of [...balances]) {
    const provider = providerOf(wallet.split(" ")[0] ?? "");
    const owed = Math.min(balance, receivables.get(wallet) ?? 0);
    const settled = product.chargebackEntry([], { provider, amount: 0, fromBalance: owed });
    post(books, settled, `owed by ${wallet}`, wallet);
    add(receivables, wallet, -owed);
    const returned = product.refundEntry([], { provider, balanceAmount: owed - balance });
    post(books, returned, `balance of ${wallet}`, wallet);
    add(balances, wallet, -balance);
  }
};
