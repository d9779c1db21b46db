import { t } from "@lingui/core/macro";
import { currencies } from "@purser/contract/fields/amounts";
import type { Price } from "@purser/contract/packages/prices";
import {
  type AccessChoice,
  type EventType,
  paidWithOf,
  transactionListFields,
} from "@purser/contract/transactions/fields";
import { money } from "#lib/intl.ts";
import { amountError } from "#lib/money/amounts.ts";
import { frequencyLabel, periodLabel } from "#lib/money/prices.ts";
import { parseAmount } from "#lib/parseNumber.ts";
import { anyPackage } from "#screens/packages/queries.ts";
import { anyUser } from "#screens/users/queries.ts";
import { listLabels, optionsOf } from "#ui/list/filters/filterLabels.ts";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import type { Transaction } from "./queries.ts";

export const fieldLabels = listLabels(transactionListFields, {
  kind: { options: kindLabels },
  state: { options: optionsOf(stateLabels) },
  user: { relation: anyUser },
  package: { relation: anyPackage },
  total: {
    amounts: {
      currencyField: "currency",
      currencies,
      refusalOf: amountError,
      read: parseAmount,
    },
  },
});

export const eventLabels: Record<EventType, string> = {
  created: t`Created`,
  submitted: t`Submitted`,
  authorized: t`Authorized`,
  succeeded: t`Settled`,
  failed: t`Failed`,
  unknown: t`Unknown`,
  canceled: t`Canceled`,
  voided: t`Voided`,
  disputed: t`Disputed`,
  "dispute won": t`Dispute won`,
  "dispute lost": t`Dispute lost`,
};

export const accessLabels: Record<AccessChoice, string> = {
  keep: t`Kept`,
  "end now": t`Ended immediately`,
  "end with period": t`Ends with the period`,
};

/** The reasons offered for a refund, as they are stored. Older refunds have other texts. */
export const reasonLabels: Record<string, string> = {
  "Requested by customer": t`Requested by customer`,
  "Purchased by mistake": t`Purchased by mistake`,
  "Duplicate charge": t`Duplicate charge`,
  Fraud: t`Fraud`,
  "App didn't work": t`App didn't work`,
  Other: t`Other`,
};

export const reasonLabel = (reason: string) => reasonLabels[reason] ?? reason;

// Purser's own names, of payments that it requests.
const ownProviders: Record<string, string> = {
  manual: t`Manual`,
  renewal: kindLabels.renewal,
  change: kindLabels.change,
};

/** The name of a payment provider as it is stored, or how Purser itself came to the payment. */
export const providerLabel = (provider: string) => ownProviders[provider] ?? provider;

/** The provider that a payment was or will be paid with, if it is known yet. */
export const paidWithLabel = (stored: Pick<Transaction, "provider" | "settledBy">) => {
  const provider = paidWithOf(stored);
  return provider === null ? "–" : providerLabel(provider);
};

/** "monthly", "every 3 months", "once". */
export const intervalOf = ({
  interval,
  intervalCount,
}: Pick<Transaction, "interval" | "intervalCount">) =>
  interval === null ? null : frequencyLabel({ interval, intervalCount: intervalCount ?? 1 });

/** The package with its interval: "Harbor Pro, monthly". Null for a transaction without a package. */
export const packageOf = ({ package: pack, ...stored }: Transaction) => {
  if (!pack) return null;
  const { name } = pack;
  const interval = intervalOf(stored);
  return interval ? t`${name}, ${interval}` : name;
};

/** A price to choose: "Monthly, 12.00 EUR". */
export const priceOption = ({ amount, currency, ...period }: Price) => {
  const interval = periodLabel(period);
  const price = money(amount, currency);
  return t`${interval}, ${price}`;
};

export const nameOf = ({ name, email }: Transaction["user"]) => name || email;

/** The amount that can still be refunded; 0 if it was never paid. */
export const refundableOf = (one: Transaction) =>
  !isBack(one) && (one.state === "succeeded" || one.state === "partially refunded")
    ? one.total - one.refunded
    : 0;
