import { t } from "@lingui/core/macro";
import type { SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";
import { subscriptionStatusNames } from "#lib/labels/subscriptions.ts";
import type { IconName } from "#ui/iconNames.ts";
import type { StatusWord } from "#ui/Status.tsx";
import type { Subscription } from "../queries.ts";

export const subscriptionLabels: Record<SubscriptionStatus, StatusWord> = {
  trialing: { word: subscriptionStatusNames.trialing, icon: "hourglass", tone: "info" },
  active: { word: subscriptionStatusNames.active, icon: "circle-check", tone: "ok", quiet: true },
  "past due": {
    word: subscriptionStatusNames["past due"],
    icon: "clock-exclamation",
    tone: "warn",
  },
  paused: { word: subscriptionStatusNames.paused, icon: "player-pause", tone: "warn" },
  ending: { word: subscriptionStatusNames.ending, icon: "flag", tone: "mute" },
  ended: { word: subscriptionStatusNames.ended, icon: "flag", tone: "mute", quiet: true },
};

export type SubscriptionAction = "change" | "extend" | "pause" | "resume" | "keep" | "cancel";

type Action = {
  name: SubscriptionAction;
  label: string;
  icon: IconName;
  isHard?: true;
  isFor: (one: Subscription) => boolean;
};

const isOneOf = (...wanted: SubscriptionStatus[]) => {
  return ({ status }: Subscription) => wanted.includes(status);
};

/** Mirrors the server's rules, so that no action is offered that it would refuse. */
const actions: Action[] = [
  {
    name: "change",
    label: t`Change package…`,
    icon: "package",
    isFor: (one) => one.pendingChange !== null || isOneOf("trialing", "active")(one),
  },
  {
    name: "extend",
    label: t`Extend…`,
    icon: "calendar-repeat",
    isFor: isOneOf("trialing", "active", "ending", "past due"),
  },
  {
    name: "pause",
    label: t`Pause…`,
    icon: "player-pause",
    isFor: (one) => one.pendingChange === null && isOneOf("trialing", "active")(one),
  },
  { name: "resume", label: t`Resume…`, icon: "player-play", isFor: isOneOf("paused") },
  {
    name: "keep",
    label: t`Keep subscription…`,
    icon: "arrow-back-up",
    isFor: ({ status, next }) => status === "ending" || next !== null,
  },
  {
    name: "cancel",
    label: t`End subscription…`,
    icon: "ban",
    isHard: true,
    isFor: ({ status }) => status !== "ended",
  },
];

export const actionsFor = (one: Subscription) => actions.filter(({ isFor }) => isFor(one));
