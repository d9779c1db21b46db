import { found, type Subscription, type Transaction } from "./books.testing.ts";
import { type Engine, record } from "./engine.testing.ts";
import type { Fact } from "./facts.testing.ts";
import type { History } from "./history.testing.ts";

/** What a provider reports. */
type Report = Extract<Fact, { fact: "payment" | "money back" | "fee" }>;

/** A history on its way. */
export type Run = {
  history: History;
  engine: Engine;
  now: Date;
  /** From here on, all reports are late. */
  isAllLate: boolean;
  /** Reports on their way. */
  reports: Report[];
  /** Reports that arrived before the payment they are about. */
  early: Report[];
  /** When a transaction was paid, whenever that is reported. */
  paidAt: Map<string, Date>;
  chargedBack: Set<string>;
};

export const transactionsOf = ({ engine }: Run) => [...engine.books.transactions.values()];

// By ID, because payments that are reported in another order start subscriptions in another order.
export const subscriptionsOf = ({ engine }: Run): Subscription[] =>
  [...engine.books.subscriptions.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Returns whether the report could be used. */
const use = ({ engine }: Run, report: Report) => {
  if (
    report.fact === "money back" &&
    found(engine.books.transactions, report.transaction).received === 0
  )
    return false;
  record(engine, report);
  return true;
};

const deliver = (run: Run, reports: readonly Report[]) => {
  for (const report of reports) run.early = [report, ...run.early].filter((one) => !use(run, one));
};

const shuffled = <T>(all: readonly T[], order: number) =>
  all
    .map((one, place) => ({ one, key: ((place + 1) * (7 + 12 * order)) % 101 }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ one }) => one);

export type Delivery = { order: number; isRepeated: boolean };

/** Delivers what is on its way. */
export const deliverAll = (run: Run, { order, isRepeated }: Delivery) => {
  const reports = shuffled(run.reports, order);
  run.reports = [];
  deliver(run, isRepeated ? [...reports, ...reports.toReversed()] : reports);
};

export const tell = (run: Run, report: Report, isLate: boolean) => {
  if (isLate || run.isAllLate) run.reports.push(report);
  else deliver(run, [report]);
};

export const reportPayment = (run: Run, { fact, payment }: Transaction, isLate: boolean) => {
  if (payment.due === 0) return;
  const at = run.paidAt.get(fact.id) ?? run.now;
  run.paidAt.set(fact.id, at);
  tell(run, { fact: "payment", transaction: fact.id, at }, isLate);
};
