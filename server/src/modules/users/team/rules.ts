import { allows, permissionsOf, type Role } from "@purser/contract/auth/permissions";
import type { TeamMember } from "@purser/contract/users/team";

type Refusal = { code: "own_account" | "wrong_state" | "forbidden"; detail: string };

/** Refuses to grant a role with more permissions than the actor has. */
export const refusalToGrant = (actor: Role, role: Role): Refusal | null => {
  const missing = permissionsOf(role).find((permission) => !allows(actor, permission));
  return missing
    ? { code: "forbidden", detail: `The role has "${missing}", which yours lacks. Ask an owner.` }
    : null;
};

/** Refuses to change one's own role, which prevents escalation and accidental loss. */
export const refusalToChangeRole = (
  stored: Pick<TeamMember, "id" | "role">,
  role: TeamMember["role"],
  actorId: string,
): Refusal | null =>
  stored.id === actorId && stored.role !== role
    ? { code: "own_account", detail: "You cannot change your own role. Ask another owner." }
    : null;

export const refusalToSuspend = (
  stored: Pick<TeamMember, "id" | "status">,
  actorId: string,
): Refusal | null => {
  if (stored.id === actorId)
    return { code: "own_account", detail: "You cannot suspend yourself. Ask another owner." };
  if (stored.status === "suspended")
    return { code: "wrong_state", detail: "This person is already suspended." };
  return null;
};

export const refusalToRestore = (stored: Pick<TeamMember, "status">): Refusal | null =>
  stored.status === "suspended"
    ? null
    : {
        code: "wrong_state",
        detail: `Only a suspended person can be restored. This one is ${stored.status}.`,
      };

export const refusalToRemove = (stored: Pick<TeamMember, "id">, actorId: string): Refusal | null =>
  stored.id === actorId
    ? { code: "own_account", detail: "You cannot remove yourself. Ask another owner." }
    : null;
