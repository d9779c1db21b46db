import type { Role } from "@purser/contract/auth/permissions";
import type { TeamMember } from "@purser/contract/users/team";

/** The approval request for inviting an owner. */
export const inviteApproval = ({ email, name }: { email: string; name: string }) => ({
  entity: "users",
  recordId: null,
  summary: `Invite ${name} as an owner`,
  facts: [
    { label: "Name", value: name },
    { label: "Email", value: email },
    { label: "Permissions", value: "Full access, including adding other owners" },
  ],
  basis: { email },
});

/** The approval request for reactivating or suspending an owner. */
export const statusApproval = (
  { id, name, email, role, status }: TeamMember,
  next: "suspended" | "active",
) => ({
  entity: "users",
  recordId: id,
  summary: next === "suspended" ? `Suspend the owner ${name}` : `Reactivate the owner ${name}`,
  facts: [
    { label: "Email", value: email },
    { label: "Role", value: role },
  ],
  basis: { email, role, status },
});

/** The approval request for resetting the factors of an owner, who could then be impersonated. */
export const twoFactorResetApproval = ({ id, name, email, role, twoFactor }: TeamMember) => ({
  entity: "users",
  recordId: id,
  summary: `Reset the two-factor authentication of ${name}`,
  facts: [
    { label: "Email", value: email },
    { label: "Role", value: role },
    { label: "Passkeys", value: String(twoFactor.passkeys) },
    { label: "Authenticator app", value: twoFactor.authenticator ? "Yes" : "No" },
  ],
  basis: { email, role },
});

/** The approval request for making a team member an owner, or for removing that role. */
export const roleApproval = ({ id, name, email, role, status }: TeamMember, next: Role | null) => ({
  entity: "users",
  recordId: id,
  summary: next === "owner" ? `Make ${name} an owner` : `Remove the owner role from ${name}`,
  facts: [
    { label: "Email", value: email },
    { label: "Current role", value: role },
    { label: "New role", value: next ?? "None (removed from the team)" },
  ],
  basis: { email, role, status },
});
