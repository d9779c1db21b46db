import { t } from "@lingui/core/macro";
import type { ApprovalStatus } from "@purser/contract/workspace/approvals";
import type { ApprovalRule } from "@purser/contract/workspace/settings";

/** The actions that can require approval. */
export const approvalRules: Record<ApprovalRule, string> = {
  refund: t`Refund above the limit`,
  price: t`Price change`,
  erase: t`Erasing personal data`,
  owner: t`Adding or removing an owner`,
};

export const approvalStatusNames: Record<ApprovalStatus, string> = {
  waiting: t`Pending`,
  approved: t`Approved`,
  rejected: t`Rejected`,
  withdrawn: t`Withdrawn`,
  expired: t`Expired`,
  stale: t`Outdated`,
};
