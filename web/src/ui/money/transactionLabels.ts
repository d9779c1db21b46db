import { t } from "@lingui/core/macro";
import type { ShownState, TransactionKind } from "@purser/contract/transactions/fields";
import type { StatusWord } from "../Status.tsx";

export const stateLabels: Record<ShownState, StatusWord> = {
  draft: { word: t`Draft`, icon: "circle-dashed", tone: "mute" },
  pending: { word: t`Pending`, icon: "clock", tone: "info" },
  succeeded: { word: t`Settled`, icon: "circle-check", tone: "ok", quiet: true },
  failed: { word: t`Failed`, icon: "circle-x", tone: "bad" },
  unknown: { word: t`Unknown`, icon: "zoom-question", tone: "warn" },
  canceled: { word: t`Canceled`, icon: "x", tone: "mute", quiet: true },
  voided: { word: t`Voided`, icon: "ban", tone: "mute", quiet: true },
  disputed: { word: t`Disputed`, icon: "gavel", tone: "warn" },
  "charged back": { word: t`Charged back`, icon: "arrow-back-up", tone: "bad" },
  "partially refunded": { word: t`Partially refunded`, icon: "receipt-refund", tone: "mute" },
  refunded: { word: t`Refunded`, icon: "arrow-back-up", tone: "mute" },
};

export const kindLabels: Record<TransactionKind, string> = {
  purchase: t`Purchase`,
  renewal: t`Renewal`,
  change: t`Change`,
  refund: t`Refund`,
  chargeback: t`Chargeback`,
  adjustment: t`Adjustment`,
};

/** Whether the money was returned to the customer. */
export const isBack = ({ kind }: { kind: TransactionKind }) =>
  kind === "refund" || kind === "chargeback";
