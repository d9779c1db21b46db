import { currencies, formatAmount, parseAmount } from "@purser/contract/money";
import {
  type AccessChoice,
  type EventType,
  type ShownState,
  type TransactionKind,
  transactionFields,
} from "@purser/contract/transactions";
import { refusalOfAmount } from "#lib/amounts.ts";
import { periodOf } from "#lib/prices.ts";
import type { FieldWords } from "#ui/list/filterWords.ts";
import type { StatusWord } from "#ui/Status.tsx";
import { anyPackage } from "../packages/queries.ts";
import type { Transaction } from "./queries.ts";

export const stateWords: Record<ShownState, StatusWord> = {
  draft: { word: "Draft", icon: "circle-dashed", tone: "mute" },
  pending: { word: "Pending", icon: "clock", tone: "info" },
  succeeded: { word: "Settled", icon: "circle-check", tone: "ok", quiet: true },
  failed: { word: "Failed", icon: "circle-x", tone: "bad" },
  unknown: { word: "Unknown", icon: "zoom-question", tone: "warn" },
  canceled: { word: "Canceled", icon: "x", tone: "mute", quiet: true },
  voided: { word: "Voided", icon: "ban", tone: "mute", quiet: true },
  disputed: { word: "Disputed", icon: "gavel", tone: "warn" },
  "charged back": { word: "Charged back", icon: "arrow-back-up", tone: "bad" },
  "partially refunded": { word: "Partly refunded", icon: "receipt-refund", tone: "mute" },
  refunded: { word: "Refunded", icon: "arrow-back-up", tone: "mute" },
};

export const kindWords: Record<TransactionKind, string> = {
  purchase: "Purchase",
  renewal: "Renewal",
  change: "Change",
  refund: "Refund",
  chargeback: "Chargeback",
  adjustment: "Adjustment",
};

const stateOptions = Object.fromEntries(
  Object.entries(stateWords).map(([state, { word }]) => [state, word]),
);

// People are found by their address.
const { user: _, ...filterable } = transactionFields;
export const filterFields = filterable;

export const fieldWords: FieldWords<typeof filterFields> = {
  number: { label: "Reference" },
  occurredAt: { label: "Created" },
  kind: { label: "Kind", options: kindWords },
  state: { label: "Status", options: stateOptions },
  package: { label: "Package", relation: anyPackage },
  currency: { label: "Currency" },
  total: {
    label: "Amount",
    amounts: {
      currencyField: "currency",
      currencies,
      refusalOf: refusalOfAmount,
      read: parseAmount,
      show: formatAmount,
    },
  },
  provider: { label: "Paid with" },
};

export const eventWords: Record<EventType, string> = {
  created: "Created",
  submitted: "Submitted",
  authorised: "Authorised",
  succeeded: "Settled",
  failed: "Failed",
  unknown: "Unknown",
  canceled: "Canceled",
  voided: "Voided",
  disputed: "Disputed",
  "dispute won": "Dispute won",
  "dispute lost": "Dispute lost",
};

export const accessWords: Record<AccessChoice, string> = {
  keep: "kept",
  "end now": "ended at once",
  "end with period": "ends with the period",
};

/** Whether the money went back. */
export const isBack = ({ kind }: Pick<Transaction, "kind">) =>
  kind === "refund" || kind === "chargeback";

/** "monthly", "every 3 months", "once". */
export const intervalOf = ({
  interval,
  intervalCount,
}: Pick<Transaction, "interval" | "intervalCount">) =>
  interval === null
    ? null
    : periodOf({ interval, intervalCount: intervalCount ?? 1 }).toLowerCase();

export const nameOf = ({ name, email }: Transaction["user"]) => name || email;

export const moneyWords = (amount: number, currency: string) =>
  `${formatAmount(amount, currency)} ${currency}`;

/** What is left of it to give back; nothing where it was never paid. */
export const refundableOf = (one: Transaction) =>
  !isBack(one) && (one.state === "succeeded" || one.state === "partially refunded")
    ? one.total - one.refunded
    : 0;
