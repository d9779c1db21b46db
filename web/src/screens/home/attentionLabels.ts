import { plural, t } from "@lingui/core/macro";
import type { AttentionKind } from "@purser/contract/reports/home";
import type { AttentionItem } from "#screens/reports/queries.ts";
import type { IconName } from "#ui/iconNames.ts";
import type { Tone } from "#ui/Status.tsx";

type Place = { to: string; search?: Record<string, string[]> };

type Texts = {
  icon: IconName;
  tone: Tone;
  title: (count: number) => string;
  /** With the name of the record, if it is only one. */
  titleOfOne?: (name: string) => string;
  verb: string;
  place: (record: AttentionItem["record"]) => Place;
};

const transactions = (...f: string[]): Place => ({ to: "/transaction", search: { f } });

export const attentionTexts: Record<AttentionKind, Texts> = {
  disputes: {
    icon: "gavel",
    tone: "warn",
    title: (count) => plural(count, { one: "# dispute is open", other: "# disputes are open" }),
    verb: t`Respond`,
    place: () => transactions("state:any:disputed"),
  },
  "failed renewals": {
    icon: "circle-x",
    tone: "bad",
    title: (count) =>
      plural(count, { one: "# renewal is overdue", other: "# renewals are overdue" }),
    verb: t`Review`,
    place: () => transactions("kind:any:renewal", "state:any:failed,pending,unknown"),
  },
  "failed payments": {
    icon: "circle-x",
    tone: "bad",
    title: (count) =>
      plural(count, {
        one: "# payment failed in the last 7 days",
        other: "# payments failed in the last 7 days",
      }),
    verb: t`Review`,
    place: () => transactions("state:any:failed", "kind:any:purchase,change", "occurredAt:last:7"),
  },
  "unknown payments": {
    icon: "clock-exclamation",
    tone: "warn",
    title: (count) =>
      plural(count, {
        one: "# payment has an unknown result",
        other: "# payments have an unknown result",
      }),
    verb: t`Check`,
    place: () => transactions("state:any:unknown"),
  },
  "unmatched events": {
    icon: "link",
    tone: "warn",
    title: (count) =>
      plural(count, {
        one: "# provider event without a transaction",
        other: "# provider events without a transaction",
      }),
    verb: t`Match`,
    place: () => ({ to: "/transaction" }),
  },
  "failing webhooks": {
    icon: "bolt",
    tone: "bad",
    title: (count) =>
      plural(count, { one: "# webhook is failing", other: "# webhooks are failing" }),
    titleOfOne: (name) => t`Webhook ${name} is failing`,
    verb: t`Open`,
    place: () => ({ to: "/webhook" }),
  },
  "expiring keys": {
    icon: "key",
    tone: "warn",
    title: (count) =>
      plural(count, { one: "# API key expires soon", other: "# API keys expire soon" }),
    titleOfOne: (name) => t`API key ${name} expires`,
    verb: t`Rotate`,
    place: (record) => ({ to: record ? `/apps/view/${record.id}` : "/apps" }),
  },
  "ending promotions": {
    icon: "hourglass",
    tone: "mute",
    title: (count) =>
      plural(count, { one: "# promotion ends soon", other: "# promotions end soon" }),
    titleOfOne: (name) => t`${name} ends soon`,
    verb: t`Extend`,
    place: (record) => ({ to: record ? `/promotion/edit/${record.id}` : "/promotion" }),
  },
  approvals: {
    icon: "list-check",
    tone: "info",
    title: (count) => plural(count, { one: "# approval request", other: "# approval requests" }),
    titleOfOne: (name) => name,
    verb: t`Review`,
    place: () => ({ to: "/approvals" }),
  },
  rollouts: {
    icon: "player-pause",
    tone: "warn",
    title: (count) => plural(count, { one: "# rollout is paused", other: "# rollouts are paused" }),
    titleOfOne: (name) => t`The rollout of ${name} is paused`,
    verb: t`Open`,
    place: (record) => ({ to: record ? `/package/view/${record.id}` : "/package" }),
  },
  "draft packages": {
    icon: "circle-dashed",
    tone: "mute",
    title: (count) =>
      plural(count, {
        one: "# draft hasn't been edited for a week",
        other: "# drafts haven't been edited for a week",
      }),
    titleOfOne: (name) => t`The draft of ${name} hasn't been edited for a week`,
    verb: t`Continue`,
    place: (record) => ({ to: record ? `/package/view/${record.id}` : "/package" }),
  },
};
