import { allows, type Holder, permissionsOf, type Role } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { TeamMember } from "@purser/contract/users/team";
import { message } from "#platform/messages.ts";

type Refusal = { code: "own_account" | "wrong_state" | "forbidden"; detail: Message };

/** Refuses to grant a role, or to give an account, more permissions than the actor has. */
export const refusalToGrant = (actor: Role, given: Role | Holder): Refusal | null => {
  const isCovered = permissionsOf(given).every((permission) => allows(actor, permission));
  return isCovered
    ? null
    : {
        code: "forbidden",
        detail: message(
          "role_exceeds_own",
          "This role has permissions that your role doesn't have. Ask an owner to assign it.",
        ),
      };
};

/** Refuses to change one's own role, which prevents escalation and accidental loss. */
export const refusalToChangeRole = (
  stored: Pick<TeamMember, "id" | "role">,
  role: TeamMember["role"],
  actorId: string,
): Refusal | null =>
  stored.id === actorId && stored.role !== role
    ? {
        code: "own_account",
        detail: message("own_role", "You can't change your own role. Ask another owner."),
      }
    : null;

export const refusalToSuspend = (
  stored: Pick<TeamMember, "id" | "status">,
  actorId: string,
): Refusal | null => {
  if (stored.id === actorId)
    return {
      code: "own_account",
      detail: message("own_suspension", "You can't suspend yourself. Ask another owner."),
    };
  if (stored.status === "suspended")
    return {
      code: "wrong_state",
      detail: message("team_member_suspended", "This team member is already suspended."),
    };
  return null;
};

/** Own factors are removed in the account, with a proof of identity. */
export const refusalToResetTwoFactor = (
  stored: Pick<TeamMember, "id" | "twoFactor">,
  actorId: string,
): Refusal | null => {
  if (stored.id === actorId)
    return {
      code: "own_account",
      detail: message(
        "own_two_factor_reset",
        "You can't reset your own two-factor authentication. Change it in your account, or ask another owner.",
      ),
    };
  return stored.twoFactor.authenticator || stored.twoFactor.passkeys > 0
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "two_factor_not_set_up",
          "This team member hasn't set up two-factor authentication.",
        ),
      };
};

export const refusalToRestore = (stored: Pick<TeamMember, "status">): Refusal | null =>
  stored.status === "suspended"
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "team_member_not_suspended",
          "Only suspended team members can be reactivated.",
        ),
      };

export const refusalToRemove = (stored: Pick<TeamMember, "id">, actorId: string): Refusal | null =>
  stored.id === actorId
    ? {
        code: "own_account",
        detail: message("own_removal", "You can't remove yourself. Ask another owner."),
      }
    : null;
