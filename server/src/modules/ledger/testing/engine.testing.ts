import {
  add,
  availableIn,
  type Books,
  found,
  newBooks,
  type Posted,
  type Product,
  post,
  product,
} from "./books.testing.ts";
import { charge, pay, withdraw } from "./charges.testing.ts";
import {
  type Fact,
  type Outcome,
  providerOf,
  shownCredit,
  sorted,
  walletOf,
} from "./facts.testing.ts";
import type { World } from "./history.testing.ts";
import { refund, takeBack } from "./takingBack.testing.ts";

// Applies facts with the product's functions, in memory. It only passes on their results.

export type Step = { fact: Fact; outcome: Outcome };

export type Engine = {
  books: Books;
  steps: Step[];
  /** The lowest part of a balance that no pending charge keeps, ever. */
  lowestAvailable: number;
};

export const newEngine = (world: World, functions: Product = product): Engine => ({
  books: newBooks(world, functions),
  steps: [],
  lowestAvailable: 0,
});

const pause = ({ subscriptions }: Books, id: string, pausedAt: Date) =>
  found(subscriptions, id).pauses.push({ pausedAt, resumedAt: null });

const resume = ({ subscriptions, product }: Books, id: string, at: Date) => {
  const subscription = found(subscriptions, id);
  const last = subscription.pauses.pop();
  if (!last) return;
  const { pausedAt } = last;
  const resumed = product.resumedAt({ periodEnd: subscription.periodEnd, pausedAt }, at);
  subscription.pauses.push({ pausedAt, resumedAt: at });
  Object.assign(subscription, resumed);
};

type Amount = { id: string; customer: string; currency: string; amount: number };

const takeFee = (books: Books, { id, customer, currency, amount }: Amount) => {
  if (books.product.isPosted(books.journal, "fee", id)) return;
  const entry = books.product.feeEntry({ provider: providerOf(customer), amount });
  post(books, entry, id, walletOf({ customer, currency }));
};

const addTeamCredit = (books: Books, { id, customer, currency, amount }: Amount) => {
  const wallet = walletOf({ customer, currency });
  const added = Math.max(amount, -availableIn(books, wallet));
  post(books, books.product.teamCreditEntry(added), id, wallet);
  add(books.balances, wallet, added);
};

const writeOff = (books: Books, { id, customer, currency, amount }: Amount) => {
  const wallet = walletOf({ customer, currency });
  const given = Math.min(amount, books.receivables.get(wallet) ?? 0);
  post(books, books.product.writeOffEntry(given), id, wallet);
  add(books.receivables, wallet, -given);
};

const apply = (books: Books, fact: Fact) => {
  switch (fact.fact) {
    case "charge":
      return charge(books, fact);
    case "payment":
      return pay(books, fact.transaction, fact.at);
    case "withdrawal":
      return withdraw(books, fact.transaction);
    case "pause":
      return pause(books, fact.subscription, fact.at);
    case "resume":
      return resume(books, fact.subscription, fact.at);
    case "end":
      found(books.subscriptions, fact.subscription).endedAt = fact.at;
      return;
    case "refund":
      return refund(books, fact);
    case "money back":
      return takeBack(books, fact);
    case "fee":
      return takeFee(books, fact);
    case "team credit":
      return addTeamCredit(books, fact);
    case "write-off":
      return writeOff(books, fact);
  }
};

const postingsOf = ({ postings }: Posted) =>
  sorted(postings.map(({ account, amount }) => [account, amount]));

type Length = { credits: number; journal: number };

/** What a fact added to the books. */
const outcomeSince = (
  before: Length,
  { credits, journal, transactions }: Books,
  fact: Fact,
): Outcome => {
  const charged = fact.fact === "charge" ? found(transactions, fact.id) : null;
  return {
    lines: sorted(charged?.lines.map(({ id, net, tax }) => [id, [net, tax]]) ?? []),
    payment: charged?.payment ?? null,
    credits: credits.slice(before.credits).map(({ line, unused, net, tax }) =>
      shownCredit({
        line: line.id,
        from: unused && +unused.start,
        until: unused ? +unused.end : 0,
        net,
        tax,
      }),
    ),
    entries: sorted(
      journal
        .slice(before.journal)
        .map((entry) => [`${entry.kind} ${entry.source}`, postingsOf(entry)]),
    ),
  };
};

export const record = (engine: Engine, fact: Fact) => {
  const { books, steps } = engine;
  const before = { credits: books.credits.length, journal: books.journal.length };
  apply(books, fact);
  steps.push({ fact, outcome: outcomeSince(before, books, fact) });
  const available = [...books.balances.keys()].map((wallet) => availableIn(books, wallet));
  engine.lowestAvailable = Math.min(engine.lowestAvailable, ...available);
};
