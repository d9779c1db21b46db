import { creditAmount, creditUnused, restOf } from "#modules/billing/credits.ts";
import {
  chargebackEntry,
  creditEntry,
  type JournalEntry,
  refundEntry,
  saleEntry,
  type TaxedAmount,
  taxAccountOf,
  teamCreditEntry,
  writeOffEntry,
} from "#modules/ledger/journal.ts";
import type { Period } from "#platform/periods.ts";
import { payeeOf } from "../lines/payee.ts";
import type { History, KnownLine, OldTransaction, Split, SplitCredit } from "./history.ts";

/** New IDs are in the order of their moments, like those of the database. */
export type NewId = (at: Date) => string;

type Line = KnownLine & { credits: { unused: Period | null; net: number; tax: number }[] };

const giftReason = "Credit of an earlier change that exceeded what was left of the payment.";

const dayMs = 86_400_000;

const isSale = ({ kind }: OldTransaction) => kind !== "refund" && kind !== "chargeback";

/** The paid time, without the free days before it. The subscription is counted from their end. */
const paidPeriodOf = ({ periodStart, periodEnd, trialDays, anchor }: OldTransaction) => {
  if (!periodStart || !periodEnd || periodStart >= periodEnd) return null;
  const isWithin = (moment: Date) => moment > periodStart && moment < periodEnd;
  if (trialDays === 0) return { start: periodStart, end: periodEnd };
  const byDays = new Date(+periodStart + trialDays * dayMs);
  const start = [anchor, byDays].find((moment) => moment && isWithin(moment)) ?? periodStart;
  return { start, end: periodEnd };
};

const sum = (amounts: readonly { net: number; tax: number }[]) =>
  amounts.reduce((total, { net, tax }) => total + net + tax, 0);

/** The credit for unused time, which earlier versions subtracted like a discount. */
const creditOf = ({ credit, discount }: OldTransaction) => Math.min(credit?.amount ?? 0, discount);

/** Takes an amount back from the unused time of a subscription, as far as it is there. */
const takeUnused = (lines: readonly Line[], { at, amount }: { at: Date; amount: number }) => {
  let left = amount;
  const credits: (Omit<SplitCredit, "id" | "transactionId" | "reason" | "state" | "at"> & {
    line: Line;
  })[] = [];
  for (const line of lines.toSorted(
    (one, other) => +(one.period?.start ?? 0) - +(other.period?.start ?? 0),
  )) {
    // The clock of the line stood still while the subscription was paused.
    const unused = creditUnused(line, new Date(+at - line.pausedMs))?.unused;
    const gross = Math.min(left, restOf(line));
    if (!unused || gross === 0) continue;
    left -= gross;
    credits.push({ ...creditAmount(line, gross), line, lineId: line.id, unused });
  }
  return credits;
};

/** Takes net and tax back from lines in their order, as far as they are left. */
const takeAmounts = (lines: readonly Line[], amount: { net: number; tax: number }) => {
  const left = { ...amount };
  return lines.flatMap((line) => {
    const rest = (part: "net" | "tax") =>
      Math.min(left[part], line[part] - line.credits.reduce((total, one) => total + one[part], 0));
    const [net, tax] = [rest("net"), rest("tax")];
    left.net -= net;
    left.tax -= tax;
    return net + tax > 0
      ? [{ line, lineId: line.id, unused: null, net, tax, gross: net + tax }]
      : [];
  });
};

type Taken = ReturnType<typeof takeAmounts>[number] | ReturnType<typeof takeUnused>[number];

const postable = (taken: readonly Taken[]): TaxedAmount[] =>
  taken.map(({ line, net, tax }) => ({ net, tax, taxAccount: line.taxAccount }));

class Splitter {
  readonly split: Split = { lines: [], credits: [], balanceEntries: [], entries: [], marks: [] };
  readonly #lines: Line[];
  readonly #changed: Set<string>;
  readonly #history: History;
  readonly #newId: NewId;

  constructor(history: History, newId: NewId) {
    this.#history = history;
    this.#newId = newId;
    this.#lines = history.lines.map((line) => ({ ...line, credits: [...line.credits] }));
    this.#changed = new Set(history.openChanges);
  }

  #mark({ id, provider, credit, state, kind }: OldTransaction, moved: number) {
    const wanted = kind === "change" ? (credit?.subscriptionId ?? null) : null;
    const isOpen = state === "pending" || state === "unknown";
    // A subscription has at most one pending change. Earlier versions allowed more.
    const changesId = wanted !== null && isOpen && this.#changed.has(wanted) ? null : wanted;
    if (changesId !== null && isOpen) this.#changed.add(changesId);
    this.split.marks.push({ id, credit: moved, settledBy: payeeOf(provider), changesId });
  }

  #add(
    taken: readonly Taken[],
    about: Pick<SplitCredit, "transactionId" | "reason" | "state" | "at">,
  ) {
    for (const { line, lineId, unused, net, tax, gross } of taken) {
      if (about.state !== "released") line.credits.push({ unused, net, tax });
      this.split.credits.push({
        id: this.#newId(about.at),
        lineId,
        unused,
        net,
        tax,
        gross,
        ...about,
      });
    }
  }

  #post(sale: OldTransaction, entry: JournalEntry, at: Date, sourceId = sale.id) {
    if (entry.postings.length === 0) return;
    const { id: transactionId, currency } = sale;
    this.split.entries.push({
      id: this.#newId(at),
      ...entry,
      sourceId,
      at,
      currency,
      transactionId,
    });
  }

  #pay(sale: OldTransaction, at: Date, amount: number, kind: "credit" | "added" | "payment") {
    if (amount === 0) return null;
    const { id: transactionId, currency } = sale;
    const id = this.#newId(at);
    const reason = kind === "added" ? giftReason : null;
    this.split.balanceEntries.push({ id, currency, amount, kind, transactionId, reason, at });
    return id;
  }

  /** Only a paid line belongs to a subscription and a time. */
  #addLine(sale: OldTransaction, moved: number) {
    const { subtotal, tax, settledAt } = sale;
    const discount = sale.discount - moved;
    const net = subtotal - discount;
    const period = settledAt ? paidPeriodOf(sale) : null;
    const subscriptionId = settledAt && period ? sale.subscriptionId : null;
    const taxTreatment = tax > 0 ? ("unknown" as const) : ("none" as const);
    const facts = { taxTreatment, taxCountry: null, taxRegion: null, taxBasisPoints: null };
    const id = this.#newId(sale.createdAt);
    const amounts = { subtotal, discount, net, tax, gross: net + tax };
    const { packageId, versionId, priceId, packageName: name, createdAt } = sale;
    this.split.lines.push({
      id,
      transactionId: sale.id,
      packageId,
      versionId,
      priceId,
      name,
      subscriptionId,
      periodStart: period?.start ?? null,
      periodEnd: period?.end ?? null,
      ...amounts,
      taxTreatment,
      createdAt,
    });
    const end = this.#history.periodEnds.get(subscriptionId ?? "");
    // A pause moved the end of the subscription's last period, and nothing else.
    const pausedMs = period && end && sale.isLastPeriod ? Math.max(0, +end - +period.end) : 0;
    const taxAccount = taxAccountOf(facts);
    this.#lines.push({
      id,
      transactionId: sale.id,
      subscriptionId,
      net,
      tax,
      taxAccount,
      period,
      pausedMs,
      credits: [],
    });
  }

  #linesOf(transactionId: string | null) {
    return this.#lines.filter((line) => line.transactionId === transactionId);
  }

  #unusedFor(sale: OldTransaction) {
    const amount = creditOf(sale);
    if (!sale.credit || amount === 0) return [];
    const { subscriptionId } = sale.credit;
    const lines = this.#lines.filter((line) => line.subscriptionId === subscriptionId);
    return takeUnused(lines, { at: sale.occurredAt, amount });
  }

  /** What earlier versions credited beyond the value of the replaced time was a gift. */
  #settleSale(sale: OldTransaction, at: Date) {
    const credited = creditOf(sale);
    const taken = this.#unusedFor(sale);
    this.#add(taken, { transactionId: sale.id, reason: "change", state: "applied", at });
    const gift = credited - sum(taken);
    this.#pay(sale, at, sum(taken), "credit");
    const giftId = this.#pay(sale, at, gift, "added");
    this.#pay(sale, at, -credited, "payment");
    this.#post(sale, creditEntry(postable(taken)), at);
    if (giftId) this.#post(sale, teamCreditEntry(gift), at, giftId);
    const paid = { provider: payeeOf(sale.provider), balanceAmount: credited };
    this.#post(sale, saleEntry(this.#linesOf(sale.id), paid), at);
    this.#mark(sale, credited);
  }

  /** What earlier versions refunded beyond the rest of a sale, because a change had credited it, is written off. */
  #settleRefund(refund: OldTransaction, at: Date) {
    const { id: transactionId, total, tax } = refund;
    const reason = refund.kind === "refund" ? "refund" : "chargeback";
    const taken = takeAmounts(this.#linesOf(refund.parentId), { net: total - tax, tax });
    this.#add(taken, { transactionId, reason, state: "applied", at });
    const provider = payeeOf(refund.provider);
    const excess = total - sum(taken);
    if (reason === "chargeback") {
      const cash = { provider, amount: total, fromBalance: 0 };
      this.#post(refund, chargebackEntry(postable(taken), cash), at);
      if (excess > 0) this.#post(refund, writeOffEntry(excess), at);
    } else {
      this.#post(refund, refundEntry(postable(taken), { provider, balanceAmount: 0 }), at);
      if (excess > 0) this.#post(refund, writeOffEntry(excess, `cash:${provider}`), at);
    }
    this.#mark(refund, 0);
  }

  /** What is left of the replaced time is held until the payment. Any other promised credit remains a discount. */
  #addOpen(sale: OldTransaction) {
    const isOpen = sale.state === "pending" || sale.state === "unknown";
    const taken = this.#unusedFor(sale);
    const state = isOpen ? ("held" as const) : ("released" as const);
    this.#add(taken, { transactionId: sale.id, reason: "change", state, at: sale.occurredAt });
    const moved = sum(taken);
    this.#addLine(sale, moved);
    this.#mark(sale, moved);
  }

  addAll() {
    const { transactions } = this.#history;
    const settled = transactions.flatMap((one) =>
      one.settledAt ? [{ one, at: one.settledAt }] : [],
    );
    for (const { one } of settled) if (isSale(one)) this.#addLine(one, creditOf(one));
    const inOrder = settled.toSorted(
      (a, b) =>
        +a.at - +b.at ||
        Number(isSale(b.one)) - Number(isSale(a.one)) ||
        (a.one.id < b.one.id ? -1 : 1),
    );
    for (const { one, at } of inOrder)
      if (isSale(one)) this.#settleSale(one, at);
      else this.#settleRefund(one, at);
    for (const one of transactions)
      if (!one.settledAt && isSale(one)) this.#addOpen(one);
      else if (!one.settledAt) this.#mark(one, 0);
    return this.split;
  }
}

/**
 * Lines, credits, balance entries and journal entries of transactions that earlier versions recorded without them.
 * Cash doesn't change: a change that was paid with a credit is paid from the balance, to which the credit goes first.
 */
export const splitHistory = (history: History, newId: NewId): Split =>
  new Splitter(history, newId).addAll();
