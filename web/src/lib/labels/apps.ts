import { t } from "@lingui/core/macro";
import type { platforms } from "@purser/contract/apps/fields";
import type { keyKinds } from "@purser/contract/apps/keys";
import type { KeyScope } from "@purser/contract/auth/keyScopes";

export const platformNames: Record<(typeof platforms)[number], string> = {
  web: t`Web`,
  ios: "iOS",
  android: "Android",
  desktop: t`Desktop`,
  api: t`API`,
};

export const keyKindNames: Record<(typeof keyKinds)[number], string> = {
  server: t`Server`,
  publishable: t`Publishable`,
};

export const keyScopeNames: Record<KeyScope, string> = {
  "entitlements:read": t`Check entitlements`,
  "usage:write": t`Record usage`,
  "customers:read": t`Read customers`,
  "customers:write": t`Create and update customers`,
};
