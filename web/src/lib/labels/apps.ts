import { t } from "@lingui/core/macro";
import type { platforms } from "@purser/contract/apps/fields";
import type { keyKinds, keyScopes } from "@purser/contract/apps/keys";

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

export const keyScopeNames: Record<(typeof keyScopes)[number], string> = {
  "entitlements:read": t`Check entitlements`,
  "usage:write": t`Record usage`,
};
