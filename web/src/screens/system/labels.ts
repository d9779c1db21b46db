import { t } from "@lingui/core/macro";
import type { StatusWord } from "#ui/Status.tsx";
import type { Instance } from "./queries.ts";

/** What each job does. A job without a label is shown by its name. */
const jobLabels: Record<string, string> = {
  "apply-waiting-changes": t`Apply changes after their waiting time`,
  "catch-up-packages": t`Complete package versions`,
  "check-import": t`Check an import`,
  "create-partitions": t`Prepare tables for the next months`,
  "expire-approvals": t`End approval requests that expired`,
  "forget-attention": t`Remove old marks of Needs attention`,
  "forget-audit-months": t`Remove old months of the audit log`,
  "expire-usage-reservations": t`Release expired usage reservations`,
  "forget-checks": t`Remove old check counts`,
  "forget-ended-sessions": t`Remove ended sessions`,
  "forget-idempotency-keys": t`Remove old idempotency keys`,
  "forget-imports": t`Remove files of old imports`,
  "forget-list-jobs": t`Remove old exports and results`,
  "forget-old-drafts": t`Remove old unsaved changes`,
  "forget-old-notifications": t`Remove old notifications`,
  "forget-personal-exports": t`Remove old exports of personal data`,
  "forget-provider-events": t`Remove old events of payment providers`,
  "forget-sign-ins": t`Remove old entries of the sign-in log`,
  "forget-usage-events": t`Remove old usage events`,
  "forget-usage-ids": t`Remove old usage event IDs`,
  "forget-webhooks": t`Remove old webhook events`,
  "issue-documents": t`Issue invoices and credit notes`,
  "keep-jobs": t`Set how long jobs are kept`,
  "measure-storage": t`Measure the size of tables`,
  "publish-scheduled": t`Publish scheduled package versions`,
  "reconcile-payments": t`Compare payments with providers`,
  "recount-subscribers": t`Count subscribers of packages`,
  "remove-old-buyers": t`Remove buyers from old documents`,
  "renew-subscriptions": t`Renew subscriptions`,
  "roll-out": t`Roll out a package version`,
  "run-backfills": t`Convert rows after an update`,
  "run-import": t`Import rows`,
  "run-list-jobs": t`Export lists and run bulk actions`,
  "seal-audit": t`Sign the audit log`,
  "send-digests": t`Email summaries of notifications`,
  "send-document": t`Email an invoice or credit note`,
  "send-link": t`Email an invitation or password link`,
  "send-reports": t`Email reports`,
  "settle-provider-event": t`Process a notification of a payment provider`,
  "settle-subscriber-changes": t`Count new subscribers`,
  "simulate-promotion": t`Simulate a promotion`,
  "split-late-transactions": t`Add lines to transactions`,
  "tell-owners": t`Email owners about a waiting change`,
  "tell-owners-of-export": t`Email owners about an export`,
  "tell-requester": t`Email the result of an approval`,
  "tell-suspension": t`Send events about a suspended app`,
  "tell-two-factor-reset": t`Email about a reset of 2FA`,
  "undo-import": t`Undo an import`,
  "update-reports": t`Update reports`,
  "verify-audit": t`Verify the audit log`,
  "watch-denials": t`Detect apps with more denials`,
  "write-personal-export": t`Export personal data`,
};

export const jobLabel = (name: string) => jobLabels[name] ?? name;

export const roleLabels: Record<Instance["role"], string> = {
  server: t`Server`,
  worker: t`Worker`,
  "server and worker": t`Server and worker`,
};

export const instanceStatus = ({ status, version }: Instance, newest: string): StatusWord => {
  if (status === "closing") return { word: t`Closing`, icon: "clock", tone: "info" };
  if (version !== newest) return { word: t`Other version`, icon: "alert-triangle", tone: "warn" };
  return { word: t`Ready`, icon: "circle-check", tone: "ok", quiet: true };
};
