import { permissionsOf, roles } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { ApprovalKind } from "@purser/contract/workspace/approvals";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalSubject, OpenApprovalGate, Requester } from "#platform/http/approvalGate.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { findSettings, type Settings } from "#platform/settings.ts";
import { reasonOfMoney } from "./limits.ts";
import { hasOtherMember } from "./queries.ts";
import { lockSums } from "./sumQueries.ts";

const reasons = {
  refund: message(
    "approval_required_refund",
    "This refund requires approval. Send a request to another team member.",
  ),
  price: message(
    "approval_required_price",
    "New prices, longer trials and promotions require approval. Send a request to another team member.",
  ),
  erase: message(
    "approval_required_erase",
    "Erasing a customer requires approval. Send a request to another team member.",
  ),
  owner: message(
    "approval_required_owner",
    "Adding an owner requires approval. If no other owner reviews the request, it takes effect after the waiting period.",
  ),
  grant: message(
    "approval_required_grant",
    "This access requires approval. Send a request to another team member.",
  ),
  safeguard: message(
    "approval_required_safeguard",
    "This loosens a safeguard, so another owner has to approve it. If no one does, it takes effect after the waiting period.",
  ),
} satisfies Record<ApprovalKind, Message>;

const isOn = ({ approvalRules }: Settings, rule: ApprovalKind, { always }: ApprovalSubject) =>
  rule === "safeguard" || always === true || approvalRules.includes(rule);

/** Why the settings require approval, or null if they don't. */
export const approvalReason = async (
  db: Db,
  requester: Requester,
  rule: ApprovalKind,
  subject: ApprovalSubject,
) => {
  const settings = await findSettings(db);
  if (!isOn(settings, rule, subject)) return null;
  const { money } = subject;
  if (!money) return reasons[rule];
  return reasonOfMoney(money, settings, await lockSums(db, requester, money));
};

/**
 * When a request is carried out without an approver: always for safeguards and owners, and for the rest if no other
 * team member could ever approve it, so that the workspace isn't locked.
 */
export const effectOf = async (
  db: Db,
  { userId, permission, now }: Requester,
  rule: ApprovalKind,
) => {
  const able = roles.filter((role) => permissionsOf(role).some((one) => one === permission));
  const waits =
    rule === "safeguard" || rule === "owner" || !(await hasOtherMember(db, able, userId));
  if (!waits) return null;
  const { waitingHours } = await findSettings(db);
  return new Date(now.getTime() + waitingHours * 3_600_000);
};

export const openApprovalGate: OpenApprovalGate = (db, requester) => async (rule, subject) => {
  const reason = await approvalReason(db, requester, rule, subject);
  if (reason) throw new Problem("approval_required", reason);
};
