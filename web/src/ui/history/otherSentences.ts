import { t } from "@lingui/core/macro";

type Say = (actor: string, record: string) => string;
type Events = Record<string, Say | undefined> & { update: Say };

/** What an exported file contained, by the name in the export log. */
export const exportedFiles: Record<string, string | undefined> = {
  apps: t`apps`,
  features: t`features`,
  packages: t`packages`,
  promotions: t`promotions`,
  transactions: t`transactions`,
  users: t`users`,
  report: t`a report`,
  "rejected rows": t`rejected rows`,
};

/** Sentences about keys, settings, sign-in and automatic actions. */
export const otherSentences: Record<string, Events> = {
  app_keys: {
    insert: (actor, record) => t`${actor} created API key ${record}`,
    update: (actor, record) => t`${actor} changed API key ${record}`,
    delete: (actor, record) => t`${actor} deleted API key ${record}`,
    revokedAt: (actor, record) => t`${actor} revoked API key ${record}`,
  },
  service_accounts: {
    insert: (actor) => t`${actor} created a service account`,
    update: (actor) => t`${actor} changed the permissions of a service account`,
  },
  service_keys: {
    insert: (actor, record) => t`${actor} created service account key ${record}`,
    update: (actor, record) => t`${actor} changed service account key ${record}`,
    revokedAt: (actor, record) => t`${actor} revoked service account key ${record}`,
    expiresAt: (actor, record) => t`${actor} rotated service account key ${record}`,
  },
  signing_keys: {
    insert: (actor) => t`${actor} created a signing key`,
    update: (actor) => t`${actor} replaced a signing key`,
  },
  approvals: {
    insert: (actor, record) => t`${actor} requested approval: ${record}`,
    update: (actor, record) => t`${actor} changed the request: ${record}`,
    approved: (actor, record) => t`${actor} approved: ${record}`,
    rejected: (actor, record) => t`${actor} rejected: ${record}`,
    withdrawn: (actor, record) => t`${actor} withdrew the request: ${record}`,
    expired: (_, record) => t`The request expired: ${record}`,
    stale: (_, record) => t`The request is outdated: ${record}`,
  },
  attention_marks: {
    insert: (actor) => t`${actor} assigned or snoozed what needs attention`,
    update: (actor) => t`${actor} assigned or snoozed what needs attention`,
    assigneeId: (actor) => t`${actor} assigned what needs attention`,
    snoozedUntil: (actor) => t`${actor} snoozed what needs attention`,
    delete: () => t`An assigned or snoozed item no longer needs attention`,
  },
  audit_redactions: {
    insert: (actor) => t`${actor} erased personal data from the audit log`,
    update: (actor) => t`${actor} changed an audit log redaction`,
  },
  audit_removals: {
    insert: (actor) => t`${actor} removed old months of the audit log`,
    update: (actor) => t`${actor} changed an audit log removal`,
  },
  audit_retention: {
    update: (actor) => t`${actor} changed how long the audit log is kept`,
  },
  authenticators: {
    insert: (actor) => t`${actor} added an authenticator app`,
    update: (actor) => t`${actor} changed an authenticator app`,
    delete: (actor) => t`${actor} removed an authenticator app`,
  },
  exports: {
    insert: (actor, record) => t`${actor} exported ${record}`,
    update: (actor, record) => t`${actor} exported ${record}`,
  },
  identities: {
    insert: (actor) => t`${actor} linked an SSO account`,
    update: (actor) => t`${actor} changed an SSO account`,
    delete: (actor) => t`${actor} unlinked an SSO account`,
  },
  passkeys: {
    insert: (actor, record) => t`${actor} added passkey ${record}`,
    update: (actor, record) => t`${actor} changed passkey ${record}`,
    delete: (actor, record) => t`${actor} removed passkey ${record}`,
  },
  passwords: {
    insert: (actor) => t`${actor} set a password`,
    update: (actor) => t`${actor} changed a password`,
    delete: (actor) => t`${actor} removed a password`,
  },
  personal_exports: {
    insert: (actor) => t`${actor} requested an export of personal data`,
    update: (actor) => t`${actor} changed an export of personal data`,
    readyAt: (actor) => t`${actor} prepared an export of personal data`,
  },
  rollouts: {
    insert: (actor, record) => t`${actor} planned the rollout of ${record}`,
    update: (actor, record) => t`${actor} changed the rollout of ${record}`,
    running: (actor, record) => t`${actor} started the rollout of ${record}`,
    paused: (actor, record) => t`${actor} paused the rollout of ${record}`,
    done: (actor, record) => t`${actor} finished the rollout of ${record}`,
  },
  settings: {
    insert: (actor) => t`${actor} created the settings`,
    update: (actor) => t`${actor} changed the settings`,
  },
  tax_rates: {
    insert: (actor) => t`${actor} added a tax rate`,
    update: (actor) => t`${actor} changed a tax rate`,
    delete: (actor) => t`${actor} deleted a tax rate`,
  },
  webhook_endpoints: {
    insert: (actor, record) => t`${actor} created webhook endpoint ${record}`,
    update: (actor, record) => t`${actor} changed webhook endpoint ${record}`,
    delete: (actor, record) => t`${actor} deleted webhook endpoint ${record}`,
    active: (actor, record) => t`${actor} turned on webhook endpoint ${record}`,
    disabled: (actor, record) => t`${actor} turned off webhook endpoint ${record}`,
    deleted: (actor, record) => t`${actor} deleted webhook endpoint ${record}`,
  },
};
