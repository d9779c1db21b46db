import { t } from "@lingui/core/macro";
import type { AnswerReason } from "@purser/contract/entitlements/explanation";

/** The reasons of answers to apps, in a few words. */
export const reasonNames: Record<AnswerReason, string> = {
  granted: t`Included`,
  default: t`Default value`,
  unlimited: t`Unlimited`,
  "over soft limit": t`Over the limit, but allowed`,
  "unknown feature": t`Unknown feature`,
  "feature archived": t`Feature archived`,
  "app inactive": t`App inactive`,
  "app suspended": t`App suspended`,
  "customer suspended": t`Customer suspended`,
  "customer erased": t`Customer erased`,
  "not included": t`Not included`,
  "not started": t`Not started`,
  expired: t`Expired`,
  revoked: t`Revoked`,
  "payment overdue": t`Payment overdue`,
  paused: t`Subscription paused`,
  "limit reached": t`Limit reached`,
  "amount exceeds remaining": t`Amount exceeds remaining`,
};
