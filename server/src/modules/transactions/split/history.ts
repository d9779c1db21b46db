import type { TransactionKind, TransactionState } from "@purser/contract/transactions/fields";
import type { CreditableLine } from "#modules/billing/credits.ts";
import type { JournalEntry } from "#modules/ledger/journal.ts";
import type { Period } from "#platform/periods.ts";

/** A transaction as earlier versions recorded it: without lines, and a change with its credit in the discount. */
export type OldTransaction = {
  id: string;
  kind: TransactionKind;
  state: TransactionState;
  packageId: string | null;
  versionId: string | null;
  priceId: string | null;
  packageName: string;
  subscriptionId: string | null;
  parentId: string | null;
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  provider: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  occurredAt: Date;
  settledAt: Date | null;
  createdAt: Date;
  /** Free days at the start of the period. */
  trialDays: number;
  /** The unused value of a replaced subscription, which is a part of the discount. */
  credit: { subscriptionId: string; amount: number } | null;
  /** Where the periods of its subscription are counted from. */
  anchor: Date | null;
  /** Whether no later period of its subscription was paid. */
  isLastPeriod: boolean;
};

/** A paid line that has credits already, or gets them. */
export type KnownLine = CreditableLine & {
  id: string;
  transactionId: string;
  subscriptionId: string | null;
  taxAccount: string;
  /** How long its subscription was paused during its period. */
  pausedMs: number;
};

/** The transactions of a customer that aren't split, in the order of their IDs, and what they refer to. */
export type History = {
  transactions: readonly OldTransaction[];
  /** Lines of other transactions, which these ones credit. */
  lines: readonly KnownLine[];
  /** The ends of the periods of subscriptions. */
  periodEnds: ReadonlyMap<string, Date>;
  /** Subscriptions with a pending change. */
  openChanges: readonly string[];
};

type SplitLine = {
  id: string;
  transactionId: string;
  packageId: string | null;
  versionId: string | null;
  priceId: string | null;
  name: string;
  subscriptionId: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  subtotal: number;
  discount: number;
  net: number;
  tax: number;
  gross: number;
  taxTreatment: "none" | "unknown";
  createdAt: Date;
};

export type SplitCredit = {
  id: string;
  lineId: string;
  transactionId: string;
  reason: "change" | "refund" | "chargeback";
  unused: Period | null;
  net: number;
  tax: number;
  gross: number;
  state: "held" | "applied" | "released";
  at: Date;
};

export type Split = {
  lines: SplitLine[];
  credits: SplitCredit[];
  balanceEntries: {
    id: string;
    currency: string;
    amount: number;
    kind: "credit" | "added" | "payment";
    transactionId: string;
    reason: string | null;
    at: Date;
  }[];
  entries: (JournalEntry & {
    id: string;
    sourceId: string;
    at: Date;
    currency: string;
    transactionId: string;
  })[];
  marks: {
    id: string;
    /** The part of the discount that becomes a payment from the balance. */
    credit: number;
    settledBy: string;
    changesId: string | null;
  }[];
};
