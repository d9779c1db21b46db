import type { Role } from "@purser/contract/auth/permissions";
import type { TeamMember } from "@purser/contract/users/team";

/** The approval request for inviting an owner. */
export const inviteApproval = ({ email, name }: { email: string; name: string }) => ({
  entity: "users",
  recordId: null,
  summary: `Invite ${name} as an owner`,
  facts: [
    { label: "Name", value: name },
    { label: "Mail", value: email },
    { label: "An owner", value: "may do everything, also make other owners" },
  ],
  basis: { email },
});

/** The approval request for making a team member an owner, or for removing that role. */
export const roleApproval = ({ id, name, email, role, status }: TeamMember, next: Role | null) => ({
  entity: "users",
  recordId: id,
  summary: next === "owner" ? `Make ${name} an owner` : `Take the role of owner from ${name}`,
  facts: [
    { label: "Mail", value: email },
    { label: "Role today", value: role },
    { label: "Role from then on", value: next ?? "none, off the staff" },
  ],
  basis: { email, role, status },
});
