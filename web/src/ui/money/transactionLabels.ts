import type { ShownState, TransactionKind } from "@purser/contract/transactions/fields";
import type { StatusWord } from "../Status.tsx";

export const stateLabels: Record<ShownState, StatusWord> = {
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

export const kindLabels: Record<TransactionKind, string> = {
  purchase: "Purchase",
  renewal: "Renewal",
  change: "Change",
  refund: "Refund",
  chargeback: "Chargeback",
  adjustment: "Adjustment",
};

/** Whether the money was returned to the customer. */
export const isBack = ({ kind }: { kind: TransactionKind }) =>
  kind === "refund" || kind === "chargeback";
