import { t } from "@lingui/core/macro";
import type { Activity } from "@purser/contract/workspace/audit";
import type { Entity } from "./auditEntities.ts";

type Happened = Pick<Activity, "entity" | "action" | "changes">;
type Titles = {
  insert: string;
  update: string;
  delete: string;
  /** By the new status. */
  status?: Record<string, string | undefined>;
  /** By the moment that was set. */
  set?: Record<string, string | undefined>;
  /** By the moment that was cleared. */
  cleared?: Record<string, string | undefined>;
  /** From archived or suspended to active. */
  restored?: string;
};

const titles: Record<Entity, Titles> = {
  app_keys: {
    insert: t`API key created`,
    update: t`API key changed`,
    delete: t`API key deleted`,
    set: { revokedAt: t`API key revoked` },
  },
  approvals: {
    insert: t`Approval requested`,
    update: t`Approval request changed`,
    delete: t`Approval request deleted`,
    status: {
      approved: t`Request approved`,
      rejected: t`Request rejected`,
      withdrawn: t`Request withdrawn`,
      expired: t`Request expired`,
      stale: t`Request outdated`,
    },
  },
  apps: {
    insert: t`App created`,
    update: t`App changed`,
    delete: t`App deleted`,
    status: { active: t`App activated`, archived: t`App archived` },
    set: { suspendedAt: t`App suspended` },
    cleared: { suspendedAt: t`App resumed` },
    restored: t`App restored`,
  },
  audit_redactions: {
    insert: t`Personal data erased from the audit log`,
    update: t`Audit log redaction changed`,
    delete: t`Audit log redaction deleted`,
  },
  audit_removals: {
    insert: t`Old months of the audit log removed`,
    update: t`Audit log removal changed`,
    delete: t`Audit log removal deleted`,
  },
  audit_retention: {
    insert: t`Audit log retention created`,
    update: t`Audit log retention changed`,
    delete: t`Audit log retention deleted`,
  },
  authenticators: {
    insert: t`Authenticator app added`,
    update: t`Authenticator app changed`,
    delete: t`Authenticator app removed`,
  },
  balance_entries: {
    insert: t`Balance changed`,
    update: t`Balance entry changed`,
    delete: t`Balance entry deleted`,
  },
  exports: {
    insert: t`List exported`,
    update: t`List export changed`,
    delete: t`List export deleted`,
  },
  features: {
    insert: t`Feature created`,
    update: t`Feature changed`,
    delete: t`Feature deleted`,
    status: { active: t`Feature activated`, archived: t`Feature archived` },
    restored: t`Feature restored`,
  },
  grants: {
    insert: t`Access granted`,
    update: t`Access changed`,
    delete: t`Access deleted`,
    set: { revokedAt: t`Access revoked` },
  },
  identities: {
    insert: t`SSO account linked`,
    update: t`SSO account changed`,
    delete: t`SSO account unlinked`,
  },
  package_versions: {
    insert: t`Version created as a draft`,
    update: t`Version changed`,
    delete: t`Version discarded`,
    status: {
      draft: t`Version unscheduled`,
      scheduled: t`Version scheduled`,
      "on sale": t`Version published`,
      superseded: t`Version replaced`,
      retired: t`Version taken off sale`,
    },
  },
  packages: {
    insert: t`Package created`,
    update: t`Package changed`,
    delete: t`Package deleted`,
    status: { active: t`Package activated`, archived: t`Package archived` },
    restored: t`Package restored`,
  },
  passkeys: {
    insert: t`Passkey added`,
    update: t`Passkey changed`,
    delete: t`Passkey removed`,
  },
  passwords: {
    insert: t`Password set`,
    update: t`Password changed`,
    delete: t`Password removed`,
  },
  personal_exports: {
    insert: t`Personal data export requested`,
    update: t`Personal data export changed`,
    delete: t`Personal data export deleted`,
    set: { readyAt: t`Personal data export ready` },
  },
  promotion_amounts: {
    insert: t`Amounts added to promotion`,
    update: t`Promotion amounts changed`,
    delete: t`Amounts removed from promotion`,
  },
  promotion_codes: {
    insert: t`Promotion codes added`,
    update: t`Promotion codes changed`,
    delete: t`Promotion codes deleted`,
  },
  promotion_packages: {
    insert: t`Packages added to promotion`,
    update: t`Promotion packages changed`,
    delete: t`Packages removed from promotion`,
  },
  promotion_people: {
    insert: t`Customers added to promotion`,
    update: t`Promotion customers changed`,
    delete: t`Customers removed from promotion`,
  },
  promotions: {
    insert: t`Promotion created`,
    update: t`Promotion changed`,
    delete: t`Promotion deleted`,
    set: {
      publishedAt: t`Promotion published`,
      pausedAt: t`Promotion paused`,
      archivedAt: t`Promotion archived`,
    },
  },
  rollouts: {
    insert: t`Rollout created`,
    update: t`Rollout changed`,
    delete: t`Rollout deleted`,
    status: {
      running: t`Rollout running`,
      paused: t`Rollout paused`,
      done: t`Rollout finished`,
    },
  },
  settings: {
    insert: t`Settings created`,
    update: t`Settings changed`,
    delete: t`Settings deleted`,
  },
  subscriptions: {
    insert: t`Subscription started`,
    update: t`Subscription changed`,
    delete: t`Subscription deleted`,
    status: {
      paused: t`Subscription paused`,
      "past due": t`Subscription past due`,
      ending: t`Subscription canceled`,
      ended: t`Subscription ended`,
    },
  },
  tax_rates: {
    insert: t`Tax rate added`,
    update: t`Tax rate changed`,
    delete: t`Tax rate deleted`,
  },
  transactions: {
    insert: t`Transaction recorded`,
    update: t`Transaction changed`,
    delete: t`Transaction deleted`,
  },
  user_notes: {
    insert: t`Note added`,
    update: t`Note changed`,
    delete: t`Note deleted`,
    set: { struckAt: t`Note crossed out` },
  },
  users: {
    insert: t`User created`,
    update: t`User changed`,
    delete: t`User deleted`,
    status: { active: t`User activated`, suspended: t`User suspended`, erased: t`User erased` },
    restored: t`User reactivated`,
  },
  version_apps: {
    insert: t`Apps added to version`,
    update: t`Version apps changed`,
    delete: t`Apps removed from version`,
  },
  version_prices: {
    insert: t`Prices added to version`,
    update: t`Version prices changed`,
    delete: t`Prices removed from version`,
  },
  version_values: {
    insert: t`Values added to version`,
    update: t`Version values changed`,
    delete: t`Values removed from version`,
  },
  webhook_endpoints: {
    insert: t`Webhook endpoint created`,
    update: t`Webhook endpoint changed`,
    delete: t`Webhook endpoint deleted`,
    status: {
      active: t`Webhook endpoint turned on`,
      disabled: t`Webhook endpoint turned off`,
      deleted: t`Webhook endpoint deleted`,
    },
  },
};

/** Entries of tables that don't exist any more. */
const unknownTitles: Titles = {
  insert: t`Record created`,
  update: t`Record changed`,
  delete: t`Record deleted`,
};

const titlesOf = (entity: string) =>
  Object.hasOwn(titles, entity) ? titles[entity as Entity] : unknownTitles;

/** The title of a change of status, or of a moment that was set or cleared. */
const eventOf = ({ changes }: Happened, { status, set, cleared, restored }: Titles) => {
  const state = changes.find(({ field }) => field === "status" || field === "state");
  const wasInactive = state?.before === "archived" || state?.before === "suspended";
  if (restored && wasInactive && state?.after === "active") return restored;
  const moment = changes.find(({ field, after }) => set?.[field] && after !== null);
  const ended = changes.find(({ field, after }) => cleared?.[field] && after === null);
  return (
    status?.[String(state?.after)] ?? set?.[moment?.field ?? ""] ?? cleared?.[ended?.field ?? ""]
  );
};

/** What happened: "App archived". */
export const titleOf = (entry: Happened) => {
  const known = titlesOf(entry.entity);
  return (entry.action === "update" && eventOf(entry, known)) || known[entry.action];
};

/** Whether the title only says that something changed. */
export const isPlainChange = (entry: Happened) => titleOf(entry) === titlesOf(entry.entity).update;
