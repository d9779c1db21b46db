import { plural, t } from "@lingui/core/macro";
import type { AttentionKind } from "@purser/contract/reports/attention";
import type { IconName } from "#ui/iconNames.ts";
import type { Tone } from "#ui/Status.tsx";

type Place = { to: string; search?: Record<string, string[]>; hash?: string };

type Texts = {
  icon: IconName;
  tone: Tone;
  title: (count: number) => string;
  titleOfOne: (name: string) => string;
  verb: string;
  /** The page of one record, or those of all. */
  place: (pageId: string | null) => Place;
};

const transactions = (...f: string[]): Place => ({ to: "/transaction", search: { f } });

const transaction = (id: string | null): Place | null =>
  id === null ? null : { to: `/transaction/view/${id}` };

export const attentionTexts: Record<AttentionKind, Texts> = {
  disputes: {
    icon: "gavel",
    tone: "warn",
    title: (count) => plural(count, { one: "# dispute is open", other: "# disputes are open" }),
    titleOfOne: (name) => t`The dispute of ${name} is open`,
    verb: t`Respond`,
    place: (id) => transaction(id) ?? transactions("state:any:disputed"),
  },
  "failed renewals": {
    icon: "circle-x",
    tone: "bad",
    title: (count) =>
      plural(count, { one: "# renewal is overdue", other: "# renewals are overdue" }),
    titleOfOne: (name) => t`The renewal of ${name} is overdue`,
    verb: t`Review`,
    place: (id) =>
      id
        ? { to: `/users/view/${id}` }
        : transactions("kind:any:renewal", "state:any:failed,pending,unknown"),
  },
  "failed payments": {
    icon: "circle-x",
    tone: "bad",
    title: (count) =>
      plural(count, {
        one: "# payment failed in the last 7 days",
        other: "# payments failed in the last 7 days",
      }),
    titleOfOne: (name) => t`Payment ${name} failed`,
    verb: t`Review`,
    place: (id) =>
      transaction(id) ??
      transactions("state:any:failed", "kind:any:purchase,change", "occurredAt:last:7"),
  },
  "unknown payments": {
    icon: "clock-exclamation",
    tone: "warn",
    title: (count) =>
      plural(count, {
        one: "# payment has an unknown result",
        other: "# payments have an unknown result",
      }),
    titleOfOne: (name) => t`Payment ${name} has an unknown result`,
    verb: t`Check`,
    place: (id) => transaction(id) ?? transactions("state:any:unknown"),
  },
  "unmatched events": {
    icon: "link",
    tone: "warn",
    title: (count) =>
      plural(count, {
        one: "# provider event without a transaction",
        other: "# provider events without a transaction",
      }),
    titleOfOne: (name) => t`Provider event ${name} without a transaction`,
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
    place: (id) => ({ to: id ? `/apps/view/${id}` : "/apps" }),
  },
  "expiring service keys": {
    icon: "key",
    tone: "warn",
    title: (count) =>
      plural(count, {
        one: "# key of a service account expires soon",
        other: "# keys of service accounts expire soon",
      }),
    titleOfOne: (name) => t`Service account key ${name} expires`,
    verb: t`Rotate`,
    place: () => ({ to: "/settings", hash: "service-accounts" }),
  },
  "rising denials": {
    icon: "ban",
    tone: "warn",
    title: (count) =>
      plural(count, {
        one: "# app denies many more checks than before",
        other: "# apps deny many more checks than before",
      }),
    titleOfOne: (name) => t`${name} denies many more checks than before`,
    verb: t`Review`,
    place: (id) =>
      id ? { to: `/apps/view/${id}`, search: { tab: ["integration"] } } : { to: "/apps" },
  },
  "ending promotions": {
    icon: "hourglass",
    tone: "mute",
    title: (count) =>
      plural(count, { one: "# promotion ends soon", other: "# promotions end soon" }),
    titleOfOne: (name) => t`${name} ends soon`,
    verb: t`Extend`,
    place: (id) => ({ to: id ? `/promotion/edit/${id}` : "/promotion" }),
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
    place: (id) => ({ to: id ? `/package/view/${id}` : "/package" }),
  },
  "draft packages": {
    icon: "circle-dashed",
    tone: "mute",
    title: (count) =>
      plural(count, {
        one: "# package draft hasn't been edited for 2 weeks",
        other: "# package drafts haven't been edited for 2 weeks",
      }),
    titleOfOne: (name) => t`The draft of ${name} hasn't been edited for 2 weeks`,
    verb: t`Continue`,
    place: (id) => ({ to: id ? `/package/view/${id}` : "/package" }),
  },
  "draft promotions": {
    icon: "circle-dashed",
    tone: "mute",
    title: (count) =>
      plural(count, {
        one: "# promotion draft hasn't been edited for 2 weeks",
        other: "# promotion drafts haven't been edited for 2 weeks",
      }),
    titleOfOne: (name) => t`Promotion ${name} is a draft and hasn't been edited for 2 weeks`,
    verb: t`Continue`,
    place: (id) =>
      id
        ? { to: `/promotion/edit/${id}` }
        : { to: "/promotion", search: { f: ["status:any:draft"] } },
  },
};
