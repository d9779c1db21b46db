import { currencies, formatAmount, parseAmount } from "@purser/contract/fields/money";
import {
  type AccessChoice,
  type EventType,
  transactionListFields,
} from "@purser/contract/transactions/fields";
import { amountError } from "#lib/money/amounts.ts";
import { periodLabel } from "#lib/money/prices.ts";
import { anyPackage } from "#screens/packages/queries.ts";
import { anyUser } from "#screens/users/queries.ts";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import type { Transaction } from "./queries.ts";

const stateOptions = Object.fromEntries(
  Object.entries(stateLabels).map(([state, { word }]) => [state, word]),
);

export const fieldWords = listLabels(transactionListFields, {
  kind: { options: kindLabels },
  state: { options: stateOptions },
  user: { relation: anyUser },
  package: { relation: anyPackage },
  total: {
    amounts: {
      currencyField: "currency",
      currencies,
      refusalOf: amountError,
      read: parseAmount,
      show: formatAmount,
    },
  },
});

export const eventLabels: Record<EventType, string> = {
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

export const accessLabels: Record<AccessChoice, string> = {
  keep: "kept",
  "end now": "ended at once",
  "end with period": "ends with the period",
};

/** "monthly", "every 3 months", "once". */
export const intervalOf = ({
  interval,
  intervalCount,
}: Pick<Transaction, "interval" | "intervalCount">) =>
  interval === null
    ? null
    : periodLabel({ interval, intervalCount: intervalCount ?? 1 }).toLowerCase();

export const nameOf = ({ name, email }: Transaction["user"]) => name || email;

/** The amount that can still be refunded; 0 if it was never paid. */
export const refundableOf = (one: Transaction) =>
  !isBack(one) && (one.state === "succeeded" || one.state === "partially refunded")
    ? one.total - one.refunded
    : 0;
