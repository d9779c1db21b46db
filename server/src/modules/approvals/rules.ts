import { allows, type Permission, permissions, type Role } from "@purser/contract/auth/permissions";
import type { UserStatus } from "@purser/contract/users/fields";
import type { ApprovalStatus } from "@purser/contract/workspace/approvals";

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
  approved: "It was approved already, and is done.",
  rejected: "It was rejected.",
  withdrawn: "Whoever asked for it took it back.",
  expired: "Nobody answered in time. Ask again.",
  stale: "What it rests on has changed. Ask again.",
} as const satisfies Record<Exclude<ApprovalStatus, "waiting">, string>;

const refusalWhenOver = ({ status, expiresAt }: Decidable, now: Date) => {
  const over = status === "waiting" && expiresAt <= now ? "expired" : status;
  return over === "waiting" ? null : { code: "wrong_state" as const, detail: ends[over] };
};

export const refusalToDecide = (asked: Decidable, decider: Decider, now: Date) => {
  if (asked.requestedBy.id === decider.userId)
    return {
      code: "own_account" as const,
      detail: "You asked for it yourself. Somebody else has to look at it.",
    };
  if (!mayDo(decider, asked.permission))
    return {
      code: "forbidden" as const,
      detail: "Only somebody who could do it themselves may decide about it.",
    };
  return refusalWhenOver(asked, now);
};

export const refusalToWithdraw = (asked: Decidable, decider: Decider, now: Date) =>
  asked.requestedBy.id === decider.userId
    ? refusalWhenOver(asked, now)
    : { code: "forbidden" as const, detail: "Only whoever asked may take it back. Reject it." };
