import { formatMoney } from "@purser/contract/fields/amounts";
import type { SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";
import type { AccessChoice, EventType, Transaction } from "@purser/contract/transactions/fields";

type Refusal = { code: "wrong_state"; detail: string };

const wrong = (detail: string): Refusal => ({ code: "wrong_state", detail });

type Sale = Pick<
  Transaction,
  "kind" | "state" | "total" | "refunded" | "currency" | "number" | "provider" | "reference"
>;

const isSale = ({ kind }: Pick<Sale, "kind">) => kind !== "refund" && kind !== "chargeback";

export const refusalToRefund = (sale: Sale, amount: number): Refusal | null => {
  const { state, total, refunded, currency } = sale;
  if (!isSale(sale))
    return wrong("A refund cannot be refunded itself. Record another sale instead.");
  if (state === "refunded") return wrong("All of it was refunded already.");
  if (state !== "succeeded" && state !== "partially refunded")
    return wrong(`Only what was paid can be refunded. It is ${state}.`);
  const left = total - refunded;
  return amount > left ? wrong(`${formatMoney(left, currency)} are left to refund.`) : null;
};

/** A paused period never ends, so access can't end with it. */
export const refusalToEnd = (access: AccessChoice, status: SubscriptionStatus | undefined) =>
  access === "end with period" && status === "paused"
    ? wrong(
        "The subscription is paused, so its period does not run. Resume it first, or end it now.",
      )
    : null;

export const refusalToResolve = (
  { state }: Sale,
  outcome: "succeeded" | "failed" | "canceled",
): Refusal | null => {
  if (state !== "pending" && state !== "unknown" && state !== "failed")
    return wrong(`Only what is pending, unknown or failed can be resolved. It is ${state}.`);
  if (state === "failed" && outcome !== "succeeded") return wrong("It failed already.");
  return state === "unknown" && outcome === "canceled"
    ? wrong("What is unknown either succeeded or failed.")
    : null;
};

export const refusalToVoid = ({ state }: Sale): Refusal | null =>
  state === "draft" ? null : wrong("Only a draft can be voided. Refund what was paid.");

export const refusalToSubmit = (
  { state, provider, reference: stored }: Sale,
  reference: string | null,
): Refusal | null => {
  if (state !== "draft") return wrong("It was recorded already.");
  return provider === "manual" && stored === null && reference === null
    ? wrong("Say where it is to be found again, such as a bank's reference.")
    : null;
};

export const refusalToDispute = (sale: Sale, outcome: EventType): Refusal | null => {
  const { state } = sale;
  if (outcome !== "disputed")
    return state === "disputed" ? null : wrong(`It is not disputed. It is ${state}.`);
  if (!isSale(sale)) return wrong("Only a sale can be disputed.");
  return state === "succeeded" || state === "partially refunded"
    ? null
    : wrong(`Only what was paid can be disputed. It is ${state}.`);
};
