import { t } from "@lingui/core/macro";
import type { ApprovalKind, ApprovalStatus } from "@purser/contract/workspace/approvals";
import type { ApprovalRule } from "@purser/contract/workspace/settings";

/** The actions that can require approval. */
export const approvalRules: Record<ApprovalRule, string> = {
  refund: t`Refund above the limit`,
  price: t`Price change`,
  erase: t`Erasing personal data`,
  owner: t`Adding an owner`,
  grant: t`Granting access above the limit`,
};

/** What requests are about. Safeguards can't be turned off. */
export const approvalKinds: Record<ApprovalKind, string> = {
  ...approvalRules,
  safeguard: t`Loosening a safeguard`,
};

export const approvalStatusNames: Record<ApprovalStatus, string> = {
  waiting: t`Pending`,
  approved: t`Approved`,
  applied: t`Took effect`,
  rejected: t`Rejected`,
  withdrawn: t`Withdrawn`,
  expired: t`Expired`,
  stale: t`Outdated`,
};
