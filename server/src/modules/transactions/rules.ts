import type { Message } from "@purser/contract/messages/message";
import type { SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";
import {
  type AccessChoice,
  type EventType,
  type Transaction,
  tagsMax,
} from "@purser/contract/transactions/fields";
import { message } from "#platform/messages.ts";

type Refusal = { code: "wrong_state"; detail: Message };

const wrong = (detail: Message): Refusal => ({ code: "wrong_state", detail });

type Sale = Pick<
  Transaction,
  "kind" | "state" | "total" | "refunded" | "currency" | "number" | "provider" | "reference"
>;

/** Many rows have the same tags, so a bulk action decides about each set of tags once. */
export const refusalToTag = ({ tags }: Pick<Transaction, "tags">, tag: string): Refusal | null => {
  if (tags.includes(tag))
    return wrong(message("transaction_tagged", "The transaction already has this tag."));
  return tags.length >= tagsMax
    ? wrong(
        message(
          "transaction_tags_full",
          "A transaction can have up to {max} tags. Remove one first.",
          {
            max: tagsMax,
          },
        ),
      )
    : null;
};

export const isSale = ({ kind }: Pick<Sale, "kind">) => kind !== "refund" && kind !== "chargeback";

export const refusalOfPendingChange = (packageName: string): Refusal =>
  wrong(
    message(
      "change_pending",
      "A change to {packageName} is waiting for its payment. Withdraw it first.",
      { packageName },
    ),
  );

export const refusalOfDispute = (number: string): Refusal =>
  wrong(
    message(
      "change_disputed",
      "The payment {number} is disputed, so its unused time can't be credited. Wait until the dispute is decided.",
      { number },
    ),
  );

export const refusalToRefund = (sale: Sale): Refusal | null => {
  const { state } = sale;
  if (!isSale(sale))
    return wrong(
      message("refund_of_refund", "Refunds can't be refunded. Record a new sale instead."),
    );
  if (state === "refunded")
    return wrong(message("refund_already_full", "This transaction is already fully refunded."));
  return state !== "succeeded" && state !== "partially refunded"
    ? wrong(message("refund_unpaid", "Only paid transactions can be refunded."))
    : null;
};

export const refusalOfAmount = (
  { currency }: Pick<Sale, "currency">,
  { asked, left }: { asked: number; left: number },
): Refusal | null =>
  asked > left
    ? wrong(
        message("refund_too_large", "You can refund {amount} at most. Enter a lower amount.", {
          amount: { amount: left, currency },
        }),
      )
    : null;

export const refusalOfNothing = (amount: number): Refusal | null =>
  amount === 0 ? wrong(message("refund_nothing", "There is nothing left to refund.")) : null;

/** A paused period never ends, so access can't end with it. */
export const refusalToEnd = (access: AccessChoice, status: SubscriptionStatus | undefined) =>
  access === "end with period" && status === "paused"
    ? wrong(
        message(
          "refund_while_paused",
          "The subscription is paused, so its period doesn't end. Resume it first, or end access now.",
        ),
      )
    : null;

export const refusalToResolve = (
  { state }: Sale,
  outcome: "succeeded" | "failed" | "canceled",
): Refusal | null => {
  if (!["pending", "unknown", "failed", "canceled"].includes(state))
    return wrong(
      message("payment_not_resolvable", "Only payments that aren't settled can be resolved."),
    );
  // The money of a payment that failed or was canceled can still arrive.
  if ((state === "failed" || state === "canceled") && outcome !== "succeeded")
    return wrong(
      message("payment_already_failed", "This payment has already failed or was canceled."),
    );
  return state === "unknown" && outcome === "canceled"
    ? wrong(
        message(
          "payment_unknown_canceled",
          "A payment with an unknown result can't be canceled. Mark it as paid or failed.",
        ),
      )
    : null;
};

export const refusalToVoid = ({ state }: Sale): Refusal | null =>
  state === "draft"
    ? null
    : wrong(
        message("void_not_draft", "Only drafts can be voided. Refund paid transactions instead."),
      );

export const refusalToSubmit = (
  { state, provider, reference: stored }: Sale,
  reference: string | null,
): Refusal | null => {
  if (state !== "draft")
    return wrong(message("sale_already_recorded", "This sale was already recorded."));
  return provider === "manual" && stored === null && reference === null
    ? wrong(
        message(
          "payment_reference_required",
          "Enter a payment reference, such as the bank's reference number.",
        ),
      )
    : null;
};

export const refusalToDispute = (sale: Sale, outcome: EventType, cash: number): Refusal | null => {
  const { state } = sale;
  if (outcome !== "disputed")
    return state === "disputed"
      ? null
      : wrong(message("dispute_not_open", "This payment isn't disputed."));
  if (!isSale(sale)) return wrong(message("dispute_of_refund", "Only sales can be disputed."));
  if (state !== "succeeded" && state !== "partially refunded")
    return wrong(message("dispute_unpaid", "Only paid transactions can be disputed."));
  return cash === 0
    ? wrong(
        message(
          "dispute_without_cash",
          "The balance paid this transaction, or it was refunded, so a bank can't take anything back.",
        ),
      )
    : null;
};
