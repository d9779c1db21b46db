import { t } from "@lingui/core/macro";
import type { SentType } from "@purser/contract/workspace/webhooks";
import { number, percent } from "#lib/intl.ts";
import { webhookTypeNames } from "#lib/labels/webhooks.ts";
import type { StatusWord } from "#ui/Status.tsx";
import type { Delivery, Endpoint } from "./queries.ts";

export const typeLabels: Record<SentType, { label: string; help: string }> = {
  "entitlements.changed": {
    label: webhookTypeNames["entitlements.changed"],
    help: t`A customer gains or loses access.`,
  },
  "subscription.changed": {
    label: webhookTypeNames["subscription.changed"],
    help: t`A subscription starts, renews, changes, is paused or ends.`,
  },
  "transaction.changed": {
    label: webhookTypeNames["transaction.changed"],
    help: t`A payment succeeds, fails or is refunded.`,
  },
  test: { label: webhookTypeNames.test, help: t`Sent manually to test an endpoint.` },
};

/** The display name of an endpoint. */
export const nameOf = ({ description, url }: Pick<Endpoint, "description" | "url">) =>
  description || url.replace(/^https?:\/\//, "");

export const endpointStatus = ({ status, failingSince }: Endpoint): StatusWord => {
  if (status === "disabled") return { word: t`Disabled`, icon: "player-pause", tone: "mute" };
  if (failingSince) return { word: t`Failing`, icon: "alert-triangle", tone: "bad" };
  return { word: t`Active`, icon: "circle-check", tone: "ok", quiet: true };
};

export const stateLabels = {
  waiting: t`Pending`,
  delivered: t`Delivered`,
  failed: t`Failed`,
} satisfies Record<Delivery["state"], string>;

export const deliveryStatus = ({ state, attempts }: Delivery): StatusWord => {
  if (state === "delivered")
    return { word: stateLabels.delivered, icon: "circle-check", tone: "ok", quiet: true };
  if (state === "failed") return { word: stateLabels.failed, icon: "circle-x", tone: "bad" };
  return attempts > 0
    ? { word: t`Retrying`, icon: "clock-exclamation", tone: "warn" }
    : { word: stateLabels.waiting, icon: "clock", tone: "info", quiet: true };
};

/** The share of deliveries that succeeded in the last 24 hours. */
export const rateOf = ({ lately: { attempted, delivered } }: Endpoint) => {
  if (attempted === 0) return t`None sent`;
  // Rounded down, so that 100% means all of them.
  const share = percent(Math.floor((delivered / attempted) * 100) / 100, 0);
  const total = number(attempted);
  return t`${share} of ${total}`;
};

type Total = Pick<Endpoint["failed"], "count"> & { kind: string };

/** "1,204", or "10,000+" if counting stopped there. */
export const totalOf = ({ count, kind }: Total) =>
  kind === "exact" ? number(count) : `${number(count)}+`;

/** Shown with a new secret. */
export const secretFact = t`Copy this secret now. You won't be able to see it again. Use it to verify our events.`;
