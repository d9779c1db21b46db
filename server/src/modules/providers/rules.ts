import type { ProviderEvent } from "@purser/contract/transactions/providerEvents";
import { message } from "#platform/messages.ts";

/** Why an event can't be retried, or null. */
export const refusalToRetry = ({ outcome }: Pick<ProviderEvent, "outcome">) =>
  outcome === "waiting" || outcome === "unmatched"
    ? null
    : {
        code: "wrong_state" as const,
        detail: message(
          "provider_event_settled",
          "This event was already processed and can't be retried.",
        ),
      };
