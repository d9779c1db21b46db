import { allows, type Permission, permissions, type Role } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { UserStatus } from "@purser/contract/users/fields";
import type { ApprovalKind, ApprovalStatus } from "@purser/contract/workspace/approvals";
import { message } from "#platform/messages.ts";

export type Decider = {
  userId: string;
  role: Role;
  /** New approvers can't approve before, so that no one can invite an approver of their own. */
  approvesFrom: Date | null;
};

export type Decidable = {
  status: ApprovalStatus;
  rule: ApprovalKind;
  recordId: string | null;
  requestedBy: { id: string };
  permission: string;
  expiresAt: Date;
};

type Refusal = { code: "own_account" | "forbidden" | "wrong_state"; detail: Message };

const isPermission = (word: string): word is Permission => Object.hasOwn(permissions, word);

/** Whether the role has the permission for the action. Only such team members can approve it. */
export const mayDo = ({ role }: Pick<Decider, "role">, permission: string) =>
  isPermission(permission) && allows(role, permission);

export type RequesterRow = { role: Role | null; status: UserStatus; email: string };

/** Whether the requester could still do it. Requests of former team members aren't carried out. */
export const stillMayDo = ({ role, status }: Omit<RequesterRow, "email">, permission: string) =>
  status === "active" && role !== null && mayDo({ role }, permission);

const ends = {
  approved: message("approval_already_approved", "This request was already approved."),
  applied: message("approval_already_applied", "This change has already taken effect."),
  rejected: message("approval_already_rejected", "This request was already rejected."),
  withdrawn: message("approval_withdrawn", "This request was withdrawn."),
  expired: message("approval_expired", "This request has expired. Send a new one."),
  stale: message("approval_stale", "This request is out of date. Send a new one."),
} satisfies Record<Exclude<ApprovalStatus, "waiting">, Message>;

const refusalWhenOver = ({ status, expiresAt }: Decidable, now: Date): Refusal | null => {
  const over = status === "waiting" && expiresAt <= now ? "expired" : status;
  return over === "waiting" ? null : { code: "wrong_state" as const, detail: ends[over] };
};

export const refusalToReject = (asked: Decidable, decider: Decider, now: Date): Refusal | null => {
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

export const refusalToApprove = (asked: Decidable, decider: Decider, now: Date): Refusal | null => {
  const refusal = refusalToReject(asked, decider, now);
  if (!refusal && asked.rule === "grant" && asked.recordId === decider.userId)
    return {
      code: "own_account",
      detail: message(
        "approval_own_access",
        "You can't approve access for yourself. Another team member has to review it.",
      ),
    };
  if (refusal || decider.approvesFrom === null || decider.approvesFrom <= now) return refusal;
  return {
    code: "forbidden",
    detail: message(
      "approval_reviewer_new",
      "Your role is new. You can approve requests from {date}, and reject them before.",
      { date: { at: decider.approvesFrom.toISOString(), time: true } },
    ),
  };
};

export const refusalToWithdraw = (asked: Decidable, decider: Pick<Decider, "userId">, now: Date) =>
  asked.requestedBy.id === decider.userId
    ? refusalWhenOver(asked, now)
    : {
        code: "forbidden" as const,
        detail: message(
          "approval_withdraw_forbidden",
          "Only the requester can withdraw this request. Reject it instead.",
        ),
      };
