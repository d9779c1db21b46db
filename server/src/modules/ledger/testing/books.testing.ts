import {
  type CreditableLine,
  creditAmount,
  creditUnused,
  type Pause,
  paidClockAt,
  payWith,
  restOf,
} from "#modules/billing/credits.ts";
import { allocate, percentOf } from "#modules/promotions/pricing/calculate.ts";
import { priceOfPeriod } from "#modules/promotions/pricing/pricing.ts";
import { addDays, type Period, periodAt, resumedAt } from "#platform/periods.ts";
import {
  chargebackEntry,
  creditEntry,
  feeEntry,
  type JournalEntry,
  paymentEntry,
  refundEntry,
  saleEntry,
  type TaxedAmount,
  taxAccountOf,
  teamCreditEntry,
  writeOffEntry,
} from "../journal.ts";
import { type ChargedItem, type ChargeFact, walletOf } from "./facts.testing.ts";
import type { DiscountTerms, World } from "./history.testing.ts";

export type Posted = JournalEntry & { source: string; wallet: string };

/** The tax of a price after its discounts, which includes the tax or not. */
const taxOf = (price: number, basisPoints: number | null, isIncluded: boolean) => {
  const rate = basisPoints ?? 0;
  if (!isIncluded) return { net: price, tax: percentOf(price, rate) };
  // Of two parts with a half, the first one is rounded up.
  const [tax = 0, net = 0] = allocate(price, [rate, 10_000]);
  return { net, tax };
};

/** The functions under test. Planted faults replace one of them. */
export const product = {
  addDays,
  chargebackEntry,
  creditAmount,
  creditEntry,
  creditUnused,
  feeEntry,
  paidClockAt,
  paymentEntry,
  payWith,
  periodAt,
  priceOfPeriod,
  refundEntry,
  restOf,
  resumedAt,
  saleEntry,
  taxAccountOf,
  taxOf,
  teamCreditEntry,
  writeOffEntry,
  /** What the constraint journal_entries_once does in the database. */
  isPosted: (journal: readonly Posted[], kind: string, source: string) =>
    journal.some((entry) => entry.kind === kind && entry.source === source),
};
export type Product = typeof product;

export type SoldLine = TaxedAmount & {
  id: string;
  item: ChargedItem;
  subscription: string | null;
  period: Period | null;
  /** When the period was decided. Pauses from then on move it. */
  since: Date;
};

export type LineCredit = TaxedAmount & {
  line: SoldLine;
  unused: Period | null;
  gross: number;
  state: "held" | "applied" | "released";
};

export type Transaction = {
  fact: ChargeFact;
  lines: SoldLine[];
  credits: LineCredit[];
  /** The cash that goes back because the credits are worth more than the charge. */
  returns: { from: Transaction; amount: number }[];
  payment: ReturnType<typeof payWith>;
  /** Overpaid: withdrawn, and paid nevertheless. */
  state: "pending" | "withdrawn" | "paid" | "overpaid";
  received: number;
  returned: number;
};

export type Subscription = {
  id: string;
  customer: string;
  currency: string;
  item: ChargedItem;
  discount: DiscountTerms | null;
  payments: number;
  anchor: Date;
  periodNumber: number;
  periodStart: Date;
  periodEnd: Date;
  pauses: Pause[];
  endedAt: Date | null;
};

/** What the tables of the database keep. */
export type Books = {
  product: Product;
  world: World;
  transactions: Map<string, Transaction>;
  subscriptions: Map<string, Subscription>;
  credits: LineCredit[];
  journal: Posted[];
  /** By wallet, that is by customer and currency. */
  balances: Map<string, number>;
  receivables: Map<string, number>;
};

export const newBooks = (world: World, functions: Product): Books => ({
  product: functions,
  world,
  transactions: new Map(),
  subscriptions: new Map(),
  credits: [],
  journal: [],
  balances: new Map(),
  receivables: new Map(),
});

export const walletsOf = ({ currencies }: World) =>
  ["A", "B"].flatMap((customer) =>
    currencies.map(({ code }) => walletOf({ customer, currency: code })),
  );

/** The sums of a customer's postings in one currency, by account. */
export const postedFor = ({ journal }: Books, wallet: string) => {
  const sums: Record<string, number> = {};
  for (const entry of journal)
    for (const { account, amount } of entry.wallet === wallet ? entry.postings : [])
      sums[account] = (sums[account] ?? 0) + amount;
  return sums;
};

export const sumOf = <T>(all: readonly T[], amountOf: (one: T) => number) =>
  all.reduce((sum, one) => sum + amountOf(one), 0);

export const grossOf = ({ net, tax }: { net: number; tax: number }) => net + tax;

export const found = <T>(all: ReadonlyMap<string, T>, id: string | null) => {
  const one = all.get(id ?? "");
  if (!one) throw new Error(`${id} doesn't exist.`);
  return one;
};

export const add = (amounts: Map<string, number>, wallet: string, amount: number) =>
  amounts.set(wallet, (amounts.get(wallet) ?? 0) + amount);

export const post = (books: Books, entry: JournalEntry, source: string, wallet: string) =>
  books.journal.push({ ...entry, source, wallet });

/** Pending charges keep their part of the balance. */
export const availableIn = ({ balances, transactions }: Books, wallet: string) => {
  const pending = [...transactions.values()].filter(
    ({ state, fact }) => state === "pending" && walletOf(fact) === wallet,
  );
  return (balances.get(wallet) ?? 0) - sumOf(pending, ({ payment }) => payment.fromBalance);
};

/** As the product's functions take it: released credits are not there. */
export const creditable = ({ credits }: Books, line: SoldLine): CreditableLine => ({
  net: line.net,
  tax: line.tax,
  period: line.period,
  credits: credits.filter((credit) => credit.line === line && credit.state !== "released"),
});

export const paidLines = ({ transactions }: Books) =>
  [...transactions.values()].flatMap(({ state, lines }) => (state === "paid" ? lines : []));

/** The pauses that moved a line's period. */
export const pausesOf = ({ subscriptions }: Books, { subscription, since }: SoldLine) =>
  (subscriptions.get(subscription ?? "")?.pauses ?? []).filter(({ pausedAt }) => pausedAt >= since);

export const keep = (
  books: Books,
  line: SoldLine,
  credit: ReturnType<typeof creditAmount>,
  state: "held" | "applied",
) => {
  const kept: LineCredit = { ...credit, line, taxAccount: line.taxAccount, state };
  books.credits.push(kept);
  return kept;
};

/** Credits all unused time of a line. It has several parts if time behind it was credited before. */
export const keepUnused = (books: Books, line: SoldLine, at: Date, state: "held" | "applied") => {
  const clock = books.product.paidClockAt(at, pausesOf(books, line));
  const kept: LineCredit[] = [];
  // A planted fault may never come to an end.
  while (kept.length < 5) {
    const credit = books.product.creditUnused(creditable(books, line), clock);
    if (!credit) break;
    kept.push(keep(books, line, credit, state));
  }
  return kept;
};

export const transactionWith = ({ transactions }: Books, line: SoldLine) => {
  const transaction = [...transactions.values()].find(({ lines }) => lines.includes(line));
  if (!transaction) throw new Error(`${line.id} has no transaction.`);
  return transaction;
};

/** The cash of a transaction that is neither returned nor about to be, when a pending change is paid. */
export const cashLeftOf = ({ transactions }: Books, transaction: Transaction) => {
  const held = [...transactions.values()].flatMap(({ state, returns }) =>
    state === "pending" ? returns.filter(({ from }) => from === transaction) : [],
  );
  const { received, returned } = transaction;
  return Math.max(0, received - returned - sumOf(held, ({ amount }) => amount));
};
