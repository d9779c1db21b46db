import type { Subscription, SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";

type Refusal = { code: "wrong_state"; detail: string };

const wrong = (detail: string): Refusal => ({ code: "wrong_state", detail });

type Known = Pick<Subscription, "status" | "next">;

const isOneOf = (status: SubscriptionStatus, ...wanted: SubscriptionStatus[]) =>
  wanted.includes(status);

export const refusalToCancel = ({ status }: Known, when: "now" | "period end"): Refusal | null => {
  if (status === "ended") return wrong("The subscription has ended already.");
  return when === "period end" && !isOneOf(status, "trialing", "active")
    ? wrong(`A subscription that is ${status} can only be ended now.`)
    : null;
};

export const refusalToKeep = ({ status, next }: Known): Refusal | null =>
  status === "ending" || next !== null
    ? null
    : wrong("Nothing was planned for the end of its period.");

export const refusalToExtend = ({ status }: Known): Refusal | null =>
  isOneOf(status, "trialing", "active", "ending", "past due")
    ? null
    : wrong(`A subscription that is ${status} cannot be extended.`);

export const refusalToPause = ({ status }: Known): Refusal | null =>
  isOneOf(status, "trialing", "active")
    ? null
    : wrong(`Only a subscription that is active can be paused. It is ${status}.`);

export const refusalToResume = ({ status }: Known): Refusal | null =>
  status === "paused" ? null : wrong("The subscription is not paused.");

export const refusalToChange = ({ status }: Known): Refusal | null =>
  isOneOf(status, "trialing", "active")
    ? null
    : wrong(`Only a subscription that is active can be changed. It is ${status}.`);

export const refusalToTry = (
  { packageName, trialDays }: { packageName: string; trialDays: number },
  earlier: { name: string } | undefined,
): Refusal | null => {
  if (trialDays === 0) return wrong(`${packageName} has no days to try it. Record a sale instead.`);
  return earlier ? wrong(`The person has, or had, ${earlier.name} already.`) : null;
};

export const refusalOfDiscount = ({ status }: Pick<Known, "status">): Refusal | null =>
  isOneOf(status, "ending", "ended")
    ? wrong(`A subscription that is ${status} is not paid for again. Nothing can be taken off.`)
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
): { code: "forbidden"; detail: string } | null => {
  if (isGiven)
    return {
      code: "forbidden",
      detail:
        "A discount that was given has payments left. Your role may give another after them. " +
        "Ask an owner or admin for more now.",
    };
  const share = basisPoints ?? (price === 0 ? 0 : Math.ceil((amount * 10_000) / price));
  if (payments <= max.supportPayments && share <= max.supportBasisPoints) return null;
  return {
    code: "forbidden",
    detail:
      `Your role may take off up to ${max.supportBasisPoints / 100} % of ${max.supportPayments} payments. ` +
      "Ask an owner or admin for more.",
  };
};
