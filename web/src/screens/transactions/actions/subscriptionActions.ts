import type { SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";
import type { IconName } from "#ui/iconNames.ts";
import type { StatusWord } from "#ui/Status.tsx";
import type { Subscription } from "../queries.ts";

export const subscriptionLabels: Record<SubscriptionStatus, StatusWord> = {
  trialing: { word: "Trialing", icon: "hourglass", tone: "info" },
  active: { word: "Active", icon: "circle-check", tone: "ok", quiet: true },
  "past due": { word: "Past due", icon: "clock-exclamation", tone: "warn" },
  paused: { word: "Paused", icon: "player-pause", tone: "warn" },
  ending: { word: "Ending", icon: "flag", tone: "mute" },
  ended: { word: "Ended", icon: "flag", tone: "mute", quiet: true },
};

export type SubscriptionAction = "change" | "extend" | "pause" | "resume" | "keep" | "cancel";

type Action = {
  asks: SubscriptionAction;
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
    asks: "change",
    label: "Change package…",
    icon: "package",
    isFor: isOneOf("trialing", "active"),
  },
  {
    asks: "extend",
    label: "Extend…",
    icon: "calendar-repeat",
    isFor: isOneOf("trialing", "active", "ending", "past due"),
  },
  { asks: "pause", label: "Pause…", icon: "player-pause", isFor: isOneOf("trialing", "active") },
  { asks: "resume", label: "Resume…", icon: "player-play", isFor: isOneOf("paused") },
  {
    asks: "keep",
    label: "Let it go on…",
    icon: "arrow-back-up",
    isFor: ({ status, next }) => status === "ending" || next !== null,
  },
  {
    asks: "cancel",
    label: "End subscription…",
    icon: "ban",
    isHard: true,
    isFor: ({ status }) => status !== "ended",
  },
];

export const actionsFor = (one: Subscription) => actions.filter(({ isFor }) => isFor(one));
