import type { Config } from "./config.ts";
import { approvalRevertAdvice } from "./modules/approvals/revert.ts";
import { appRevertAdvice, revertingApps } from "./modules/apps/revert.ts";
import { grantRevertAdvice } from "./modules/entitlements/revert.ts";
import { featureRevertAdvice, revertingFeatures } from "./modules/features/revert.ts";
import { importRevertAdvice } from "./modules/imports/revert.ts";
import {
  packageRevertAdvice,
  revertingDrafts,
  revertingPackages,
} from "./modules/packages/revert.ts";
import { promotionRevertAdvice, revertingPromotions } from "./modules/promotions/revert.ts";
import { attentionRevertAdvice } from "./modules/reports/attention/revert.ts";
import { revertingSettings } from "./modules/settings/revert.ts";
import { snapshotRevertAdvice } from "./modules/snapshots/revert.ts";
import { subscriptionRevertAdvice } from "./modules/subscriptions/revert.ts";
import { transactionRevertAdvice } from "./modules/transactions/revert.ts";
import { revertingCustomers, revertingTeam, userRevertAdvice } from "./modules/users/revert.ts";
import { revertingEndpoints, webhookRevertAdvice } from "./modules/webhooks/revert.ts";
import { platformRevertAdvice } from "./platform/audit/revertAdvice.ts";
import { defaultRetentionIn } from "./platform/settings.ts";

/** What to do instead of reverting an audit entry, for every table with audit entries. */
export const revertAdvice = {
  ...platformRevertAdvice,
  ...appRevertAdvice,
  ...featureRevertAdvice,
  ...packageRevertAdvice,
  ...promotionRevertAdvice,
  ...userRevertAdvice,
  ...grantRevertAdvice,
  ...snapshotRevertAdvice,
  ...subscriptionRevertAdvice,
  ...transactionRevertAdvice,
  ...webhookRevertAdvice,
  ...approvalRevertAdvice,
  ...importRevertAdvice,
  ...attentionRevertAdvice,
};

/** What can be reverted from the audit log. */
export const revertingIn = (
  config: Pick<
    Config,
    "COMPANY_NAME" | "COMPANY_TIME_ZONE" | "WEBHOOK_DELIVERY_DAYS" | "WEBHOOK_EVENT_DAYS"
  >,
) => [
  revertingApps,
  revertingFeatures,
  revertingPackages,
  revertingDrafts,
  revertingPromotions,
  revertingEndpoints,
  revertingTeam,
  revertingCustomers,
  revertingSettings({
    companyName: config.COMPANY_NAME,
    timeZone: config.COMPANY_TIME_ZONE,
    retention: defaultRetentionIn(config),
  }),
];
