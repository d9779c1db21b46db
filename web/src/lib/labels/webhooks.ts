import { t } from "@lingui/core/macro";
import type { SentType } from "@purser/contract/workspace/webhooks";

export const webhookTypeNames: Record<SentType, string> = {
  "entitlements.changed": t`Entitlements`,
  "subscription.changed": t`Subscriptions`,
  "transaction.changed": t`Transactions`,
  test: t`Test`,
};
