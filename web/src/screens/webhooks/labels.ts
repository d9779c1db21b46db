import type { SentType } from "@purser/contract/workspace/webhooks";
import { count } from "#lib/labels.ts";
import type { StatusWord } from "#ui/Status.tsx";
import type { Delivery, Endpoint } from "./queries.ts";

export const typeLabels: Record<SentType, { label: string; help: string }> = {
  "entitlements.changed": {
    label: "Entitlements",
    help: "Somebody may use something, or no longer.",
  },
  "subscription.changed": {
    label: "Subscriptions",
    help: "One begins, renews, changes, is paused or ends.",
  },
  "transaction.changed": { label: "Transactions", help: "Money comes in, fails or goes back." },
  test: { label: "Test", help: "Sent by hand, to try an endpoint." },
};

/** The display name of an endpoint. */
export const nameOf = ({ description, url }: Pick<Endpoint, "description" | "url">) =>
  description || url.replace(/^https?:\/\//, "");

export const endpointStatus = ({ status, failingSince }: Endpoint): StatusWord => {
  if (status === "disabled") return { word: "Disabled", icon: "player-pause", tone: "mute" };
  if (failingSince) return { word: "Failing", icon: "alert-triangle", tone: "bad" };
  return { word: "Active", icon: "circle-check", tone: "ok", quiet: true };
};

export const stateLabels = {
  waiting: "Waiting",
  delivered: "Delivered",
  "given up": "Given up",
} satisfies Record<Delivery["state"], string>;

export const deliveryStatus = ({ state, attempts }: Delivery): StatusWord => {
  if (state === "delivered")
    return { word: "Delivered", icon: "circle-check", tone: "ok", quiet: true };
  if (state === "given up") return { word: "Given up", icon: "circle-x", tone: "bad" };
  return attempts > 0
    ? { word: "Trying again", icon: "clock-exclamation", tone: "warn" }
    : { word: "Waiting", icon: "clock", tone: "info", quiet: true };
};

/** The share of deliveries that succeeded in the last 24 hours. */
export const rateOf = ({ lately: { attempted, delivered } }: Endpoint) =>
  attempted === 0
    ? "nothing sent"
    : `${Math.floor((delivered / attempted) * 100)} % of ${attempted}`;

type Total = Endpoint["givenUp"];

export const totalOf = ({ count: number, kind }: Total, one: string) =>
  `${kind === "exact" ? "" : "at least "}${count(number, one)}`;

/** The purpose of a secret, shown next to it. */
export const secretFact =
  "It cannot be shown again. With it, the receiver checks that an event is from here.";
