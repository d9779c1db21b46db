import { t } from "@lingui/core/macro";

/** The statuses of apps, features and packages. */
export const lifecycleStatusNames = {
  draft: t`Draft`,
  active: t`Active`,
  archived: t`Archived`,
} as const;
