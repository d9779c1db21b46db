import { allows, type Permission, permissions, type Role } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { UserStatus } from "@purser/contract/users/fields";
import type { ApprovalStatus } from "@purser/contract/workspace/approvals";
import { message } from "#platform/messages.ts";

export type Decider = { userId: string; role: Role };

export type Decidable = {
  status: ApprovalStatus;
  requestedBy: { id: string };
  permission: string;
  expiresAt: Date;
};

const isPermission = (word: string): word is Permission => Object.hasOwn(permissions, word);

/** Whether the role has the permission for the action. Only such team members can approve it. */
export const mayDo = ({ role }: Pick<Decider, "role">, permission: string) =>
  isPermission(permission) && allows(role, permission);

export type RequesterRow = { role: Role | null; status: UserStatus };

/** Whether the requester could still do it. Requests of former team members aren't carried out. */
export const stillMayDo = ({ role, status }: RequesterRow, permission: string) =>
  status === "active" && role !== null && mayDo({ role }, permission);

const ends = {
  approved: message("approval_already_approved", "This request was already approved."),
  rejected: message("approval_already_rejected", "This request was already rejected."),
  withdrawn: message("approval_withdrawn", "This request was withdrawn."),
  expired: message("approval_expired", "This request has expired. Send a new one."),
  stale: message("approval_stale", "This request is out of date. Send a new one."),
} satisfies Record<Exclude<ApprovalStatus, "waiting">, Message>;

const refusalWhenOver = ({ status, expiresAt }: Decidable, now: Date) => {
  const over = status === "waiting" && expiresAt <= now ? "expired" : status;
  return over === "waiting" ? null : { code: "wrong_state" as const, detail: ends[over] };
};

export const refusalToDecide = (asked: Decidable, decider: Decider, now: Date) => {
  if (asked.requestedBy.id === decider.userId)
    return {
      code: "own_account" as const,
      detail: message(
        "approval_own_request",
        "You can't review your own request. Another team member has to review it.",
      ),
    };
  if (!mayDo(decider, asked.permission))
    return {
      code: "forbidden" as const,
      detail: message(
        "approval_review_forbidden",
        "Only team members with permission for this action can review the request.",
      ),
    };
  return refusalWhenOver(asked, now);
};

export const refusalToWithdraw = (asked: Decidable, decider: Decider, now: Date) =>
  asked.requestedBy.id === decider.userId
    ? refusalWhenOver(asked, now)
    : {
        code: "forbidden" as const,
        detail: message(
          "approval_withdraw_forbidden",
          "Only the requester can withdraw this request. Reject it instead.",
        ),
      };
