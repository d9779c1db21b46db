import { t } from "@lingui/core/macro";
import type { Permission } from "@purser/contract/auth/permissions";

export const permissionNames: Record<Permission, string> = {
  "apps:read": t`View apps`,
  "apps:write": t`Edit apps`,
  "apps:keys": t`Manage API keys`,
  "apps:suspend": t`Suspend and resume apps`,
  "features:read": t`View features`,
  "features:write": t`Edit features`,
  "packages:read": t`View packages`,
  "packages:write": t`Edit packages`,
  "promotions:read": t`View promotions`,
  "promotions:write": t`Edit promotions`,
  "transactions:read": t`View transactions and subscriptions`,
  "transactions:write": t`Record and refund transactions`,
  "users:read": t`View customers`,
  "users:write": t`Edit customers`,
  "users:privacy": t`Export and erase customer data`,
  "audit:read": t`View the audit log`,
  "webhooks:read": t`View webhooks`,
  "webhooks:write": t`Edit webhooks`,
  "jobs:read": t`View background jobs`,
  "jobs:write": t`Rerun background jobs`,
  "team:read": t`View the team`,
  "team:write": t`Manage the team`,
  "settings:read": t`View settings`,
  "settings:write": t`Edit settings`,
};
