import { permissionsOf, roles } from "@purser/contract/auth/permissions";
import { formatMoney } from "@purser/contract/fields/amounts";
import type { ApprovalRule } from "@purser/contract/workspace/settings";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalSubject, OpenApprovalGate, Requester } from "#platform/http/approvalGate.ts";
import { Problem } from "#platform/http/problem.ts";
import { findSettings } from "#platform/settings.ts";
import { hasOtherMember } from "./queries.ts";

const sentences = {
  refund: "A refund of this size needs a second person.",
  price: "New prices of a package on sale need a second person.",
  erase: "Erasing somebody needs a second person.",
  owner: "Who is an owner needs a second person.",
} as const satisfies Record<ApprovalRule, string>;

/** If no approver can sign in, an owner turns the rule off in the settings, so the workspace isn't locked. */
const hasApprover = (db: Db, { userId, permission }: Requester) => {
  const able = roles.filter((role) => permissionsOf(role).some((one) => one === permission));
  return hasOtherMember(db, able, userId);
};

/** Why the settings require approval, as a sentence, or null if they don't. */
export const approvalReason = async (
  db: Db,
  requester: Requester,
  rule: ApprovalRule,
  { money }: ApprovalSubject,
) => {
  const { approvalRules, refundLimits } = await findSettings(db);
  if (!approvalRules.includes(rule) || !(await hasApprover(db, requester))) return null;
  if (!money) return sentences[rule];
  const limit = refundLimits[money.currency];
  if (limit === undefined || money.amount <= limit) return null;
  return `Refunds above ${formatMoney(limit, money.currency)} of one sale need a second person.`;
};

export const openApprovalGate: OpenApprovalGate = (db, requester) => async (rule, subject) => {
  const why = await approvalReason(db, requester, rule, subject);
  if (why) throw new Problem("approval_required", `${why} Ask somebody to approve it.`);
};
