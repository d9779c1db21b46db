import { t } from "@lingui/core/macro";
import type { auditedEntities } from "@purser/contract/workspace/audit";

export type Entity = (typeof auditedEntities)[number];

/** The types of records in the log. */
export const entityLabels: Record<Entity, string> = {
  app_keys: t`API key`,
  approvals: t`Approval request`,
  apps: t`App`,
  audit_redactions: t`Audit log redaction`,
  audit_removals: t`Audit log removal`,
  audit_retention: t`Audit log retention`,
  authenticators: t`Authenticator app`,
  balance_entries: t`Balance entry`,
  exports: t`List export`,
  features: t`Feature`,
  grants: t`Access grant`,
  identities: t`SSO account`,
  package_versions: t`Package version`,
  packages: t`Package`,
  passkeys: t`Passkey`,
  passwords: t`Password`,
  personal_exports: t`Personal data export`,
  promotion_amounts: t`Promotion amounts`,
  promotion_codes: t`Promotion codes`,
  promotion_packages: t`Promotion packages`,
  promotion_people: t`Promotion customers`,
  promotions: t`Promotion`,
  rollouts: t`Rollout`,
  settings: t`Settings`,
  subscriptions: t`Subscription`,
  tax_rates: t`Tax rate`,
  transactions: t`Transaction`,
  user_notes: t`Note`,
  users: t`User`,
  version_apps: t`Version apps`,
  version_prices: t`Version prices`,
  version_values: t`Version values`,
  webhook_endpoints: t`Webhook endpoint`,
};
