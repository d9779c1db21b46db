import type { Role } from "@purser/contract/auth/permissions";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalGate } from "#platform/http/approvalGate.ts";
import { findSettings } from "#platform/settings.ts";
import { type GivenAccess, isWithinLimits } from "../settings/grantLimits.ts";
import { findRecord } from "./customerQueries.ts";

type Person = { id: string; name: string; email: string };

type Given = GivenAccess & {
  /** Such as "Grant Studio". */
  what: string;
  reason: string;
};

type By = { role: Role; now: Date; requireApproval: ApprovalGate };

const isInTeam = async (db: Db, id: string) => Boolean((await findRecord(db, id))?.role);

const forTeamMember = {
  always: true as const,
  fact: { label: "Team member", value: "Yes" },
};

/**
 * Requires approval for access beyond the limits of the role, and always for team members, who could otherwise give
 * it to themselves.
 */
export const approveAccess = async (
  db: Db,
  { id, name, email }: Person,
  { what, reason, ...given }: Given,
  { role, now, requireApproval }: By,
) => {
  const isTeamMember = await isInTeam(db, id);
  if (!isTeamMember && isWithinLimits(await findSettings(db), role, given, now)) return;
  await requireApproval("grant", {
    ...(isTeamMember && { always: forTeamMember.always }),
    entity: "users",
    recordId: id,
    summary: `${what} for ${name || email}`,
    facts: [
      { label: "Customer", value: `${name}, ${email}` },
      ...(isTeamMember ? [forTeamMember.fact] : []),
      { label: "Ends", value: given.endsAt?.toISOString() ?? "Never" },
      { label: "Reason", value: reason },
    ],
    basis: { id, isTeamMember },
  });
};

/** Requires approval for a sale to a team member, and for moving a customer's access to one. */
export const approveMove = async (
  { id, name, email, role }: Person & { role: Role | null },
  { what, requireApproval }: { what: string; requireApproval: ApprovalGate },
) => {
  if (role === null) return;
  await requireApproval("grant", {
    always: forTeamMember.always,
    entity: "users",
    recordId: id,
    summary: `${what} for ${name || email}`,
    facts: [{ label: "Customer", value: `${name}, ${email}` }, forTeamMember.fact],
    basis: { id },
  });
};
