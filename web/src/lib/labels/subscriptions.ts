import { t } from "@lingui/core/macro";
import type { grantSources } from "@purser/contract/entitlements/grants";
import type { SubscriptionStatus } from "@purser/contract/subscriptions/endpoints";

export const subscriptionStatusNames: Record<SubscriptionStatus, string> = {
  trialing: t`Trialing`,
  active: t`Active`,
  "past due": t`Past due`,
  paused: t`Paused`,
  ending: t`Ending`,
  ended: t`Ended`,
};

export const grantSourceNames: Record<(typeof grantSources)[number], string> = {
  transaction: t`Purchase`,
  trial: t`Trial`,
  promotion: t`Promotion`,
  import: t`Import`,
  manual: t`Manual`,
};
