import type { Message } from "@purser/contract/messages/message";
import type { Price } from "@purser/contract/packages/prices";
import type { Subscription, SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";
import { message } from "#platform/messages.ts";
import { refusalOfPendingChange } from "../transactions/rules.ts";

type Refusal = { code: "wrong_state"; detail: Message };

const wrong = (detail: Message): Refusal => ({ code: "wrong_state", detail });

type Known = Pick<Subscription, "status" | "next" | "pendingChange">;

const isOneOf = (status: SubscriptionStatus, ...wanted: SubscriptionStatus[]) =>
  wanted.includes(status);

export const refusalToCancel = ({ status }: Known, when: "now" | "period end"): Refusal | null => {
  if (status === "ended")
    return wrong(message("subscription_ended", "This subscription has already ended."));
  return when === "period end" && !isOneOf(status, "trialing", "active")
    ? wrong(
        message(
          "subscription_ends_only_now",
          "Only active subscriptions and trials can end with their period. End this one now instead.",
        ),
      )
    : null;
};

export const refusalToKeep = ({ status, next }: Known): Refusal | null =>
  status === "ending" || next !== null
    ? null
    : wrong(
        message(
          "subscription_nothing_scheduled",
          "No change is scheduled for the end of this period.",
        ),
      );

export const refusalToExtend = ({ status }: Known): Refusal | null =>
  isOneOf(status, "trialing", "active", "ending", "past due")
    ? null
    : wrong(
        message("subscription_not_extendable", "Paused and ended subscriptions can't be extended."),
      );

export const refusalToPause = ({ status, pendingChange }: Known): Refusal | null =>
  isOneOf(status, "trialing", "active") && !pendingChange
    ? null
    : wrong(
        message("subscription_not_pausable", "Only active subscriptions and trials can be paused."),
      );

export const refusalToResume = ({ status }: Known): Refusal | null =>
  status === "paused"
    ? null
    : wrong(message("subscription_not_paused", "This subscription isn't paused."));

export const refusalToChange = ({ status, pendingChange }: Known): Refusal | null => {
  if (pendingChange) return refusalOfPendingChange(pendingChange.package.name);
  return isOneOf(status, "trialing", "active")
    ? null
    : wrong(
        message(
          "subscription_not_changeable",
          "Only active subscriptions and trials can be changed.",
        ),
      );
};

export const refusalToWithdraw = ({ pendingChange, next }: Known): Refusal | null =>
  pendingChange || next ? null : wrong(message("change_not_pending", "No change is waiting."));

type Terms = Pick<Price, "currency" | "interval" | "intervalCount"> & { packageId: string };

/** A running period keeps its currency and interval. Others start with the next one. */
export const refusalOfTerms = (
  own: Terms & { quantity: number },
  { offer, quantity }: { offer: Terms; quantity: number },
  when: "now" | "period end",
): Refusal | null => {
  const isSamePackage = own.packageId === offer.packageId;
  const isSameInterval =
    own.interval === offer.interval && own.intervalCount === offer.intervalCount;
  const isSameCurrency = own.currency === offer.currency;
  if (offer.interval === "once")
    return wrong(
      message("change_to_once", "Subscriptions can't change to a one-time price. Record a sale."),
    );
  if (isSamePackage && isSameInterval && isSameCurrency && own.quantity === quantity)
    return wrong(message("change_nothing", "The subscription already has this package."));
  if (when === "period end" || (isSameCurrency && (isSameInterval || !isSamePackage))) return null;
  return wrong(
    message(
      "change_terms_at_end",
      "A running period keeps its currency and billing period. Change it at the end of the period.",
    ),
  );
};

export const refusalToTry = (
  { packageName, trialDays }: { packageName: string; trialDays: number },
  earlier: { name: string } | undefined,
): Refusal | null => {
  if (trialDays === 0)
    return wrong(
      message("trial_not_offered", "{packageName} has no trial. Record a sale instead.", {
        packageName,
      }),
    );
  return earlier
    ? wrong(
        message(
          "trial_not_available",
          "This customer already has or had {packageName}, so they can't start a trial.",
          { packageName: earlier.name },
        ),
      )
    : null;
};

export const refusalOfDiscount = ({ status }: Pick<Known, "status">): Refusal | null =>
  isOneOf(status, "ending", "ended")
    ? wrong(
        message(
          "discount_without_payment",
          "This subscription has no more payments, so it can't be discounted.",
        ),
      )
    : null;

type NewDiscount = {
  basisPoints?: number | undefined;
  amount?: number | undefined;
  payments: number;
  price: number;
  /** Whether an earlier discount still applies to payments. */
  isGiven: boolean;
};

/** The limit for roles that can't record payments. */
export const refusalOfLargeDiscount = (
  { basisPoints, amount = 0, payments, price, isGiven }: NewDiscount,
  max: { supportPayments: number; supportBasisPoints: number },
): { code: "forbidden"; detail: Message } | null => {
  if (isGiven)
    return {
      code: "forbidden",
      detail: message(
        "discount_still_applies",
        "An earlier discount still applies to this subscription. Ask an owner or admin to add another one.",
      ),
    };
  const share = basisPoints ?? (price === 0 ? 0 : Math.ceil((amount * 10_000) / price));
  if (payments <= max.supportPayments && share <= max.supportBasisPoints) return null;
  return {
    code: "forbidden",
    detail: message(
      "discount_too_large",
      "Your role can discount {payments, plural, one {# payment} other {# payments}} by up to {percent}%. Ask an owner or admin for a larger discount.",
      { payments: max.supportPayments, percent: max.supportBasisPoints / 100 },
    ),
  };
};
