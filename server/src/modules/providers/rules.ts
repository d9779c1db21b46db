import type { ProviderEvent } from "@purser/contract/transactions/providerEvents";

/** Why an event can't be retried, or null. */
export const refusalToRetry = ({ outcome }: Pick<ProviderEvent, "outcome">) =>
  outcome === "waiting" || outcome === "unmatched"
    ? null
    : { code: "wrong_state" as const, detail: `Nothing is left to do: the event was ${outcome}.` };
