import type { Message } from "@purser/contract/messages/message";
import type { AttentionKind } from "@purser/contract/reports/attention";
import { message } from "#platform/messages.ts";

/** What the assignee of a row reads. Without the number, which may have changed by then. */
export const assignedNotices: Record<AttentionKind, (author: string) => Message> = {
  disputes: (author) =>
    message("assigned_disputes", "{author} assigned open disputes to you", { author }),
  "failed renewals": (author) =>
    message("assigned_failed_renewals", "{author} assigned overdue renewals to you", { author }),
  "failed payments": (author) =>
    message("assigned_failed_payments", "{author} assigned failed payments to you", { author }),
  "unknown payments": (author) =>
    message(
      "assigned_unknown_payments",
      "{author} assigned payments with an unknown result to you",
      { author },
    ),
  "unmatched events": (author) =>
    message(
      "assigned_unmatched_events",
      "{author} assigned provider events without a transaction to you",
      { author },
    ),
  "failing webhooks": (author) =>
    message("assigned_failing_webhooks", "{author} assigned failing webhooks to you", { author }),
  "expiring keys": (author) =>
    message("assigned_expiring_keys", "{author} assigned expiring API keys to you", { author }),
  "expiring service keys": (author) =>
    message(
      "assigned_expiring_service_keys",
      "{author} assigned expiring keys of service accounts to you",
      { author },
    ),
  "rising denials": (author) =>
    message("assigned_rising_denials", "{author} assigned rising denials to you", { author }),
  "ending promotions": (author) =>
    message("assigned_ending_promotions", "{author} assigned ending promotions to you", {
      author,
    }),
  approvals: (author) =>
    message("assigned_approvals", "{author} assigned approval requests to you", { author }),
  rollouts: (author) =>
    message("assigned_rollouts", "{author} assigned paused rollouts to you", { author }),
  "draft packages": (author) =>
    message("assigned_draft_packages", "{author} assigned package drafts to you", { author }),
  "draft promotions": (author) =>
    message("assigned_draft_promotions", "{author} assigned promotion drafts to you", { author }),
};
