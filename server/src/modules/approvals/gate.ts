import { permissionsOf, roles } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { ApprovalRule } from "@purser/contract/workspace/settings";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalSubject, OpenApprovalGate, Requester } from "#platform/http/approvalGate.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { hasOtherMember } from "./queries.ts";

const reasons = {
  refund: message(
    "approval_required_refund",
    "This refund requires approval. Send a request to another team member.",
  ),
  price: message(
    "approval_required_price",
    "New prices for a package on sale require approval. Send a request to another team member.",
  ),
  erase: message(
    "approval_required_erase",
    "Erasing a customer requires approval. Send a request to another team member.",
  ),
  owner: message(
    "approval_required_owner",
    "Adding or removing an owner requires approval. Send a request to another team member.",
  ),
} satisfies Record<ApprovalRule, Message>;

/** If no approver can sign in, an owner turns the rule off in the settings, so the workspace isn't locked. */
const hasApprover = (db: Db, { userId, permission }: Requester) => {
  const able = roles.filter((role) => permissionsOf(role).some((one) => one === permission));
  return hasOtherMember(db, able, userId);
};

/** Why the settings require approval, or null if they don't. */
export const approvalReason = async (
  db: Db,
  requester: Requester,
  rule: ApprovalRule,
  { money }: ApprovalSubject,
) => {
  const { approvalRules, refundLimits } = await findSettings(db);
  if (!approvalRules.includes(rule) || !(await hasApprover(db, requester))) return null;
  if (!money) return reasons[rule];
  const limit = refundLimits[money.currency];
  if (limit === undefined || money.amount <= limit) return null;
  return message(
    "approval_required_refund_above",
    "Refunds above {limit} per sale require approval. Send a request to another team member.",
    { limit: { amount: limit, currency: money.currency } },
  );
};

export const openApprovalGate: OpenApprovalGate = (db, requester) => async (rule, subject) => {
  const reason = await approvalReason(db, requester, rule, subject);
  if (reason) throw new Problem("approval_required", reason);
};
