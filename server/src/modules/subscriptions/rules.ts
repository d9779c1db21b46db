import type { Subscription, SubscriptionStatus } from "@purser/contract/subscriptions";

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
  held: { name: string } | undefined,
): Refusal | null => {
  if (trialDays === 0) return wrong(`${packageName} has no days to try it. Record a sale instead.`);
  return held ? wrong(`The person has, or had, ${held.name} already.`) : null;
};
