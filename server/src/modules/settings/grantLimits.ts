import type { Role } from "@purser/contract/auth/permissions";
import type { GrantLimit, SettingsDetails } from "@purser/contract/workspace/settings";

const dayMs = 86_400_000;

/** Access that a team member gives by hand. */
export type GivenAccess = { packageId: string | undefined; endsAt: Date | null };

const isWithin = (
  { days, packages }: GrantLimit,
  { packageId, endsAt }: GivenAccess,
  now: Date,
): boolean => {
  // An hour more, because the end of a day can be later than the same time some days ahead.
  const last = days === null ? null : now.getTime() + days * dayMs + 3_600_000;
  if (last !== null && (endsAt === null || endsAt.getTime() > last)) return false;
  return packages.length === 0 || (packageId !== undefined && packages.includes(packageId));
};

/** Whether the role may give this access without approval. A role without limits may give none. */
export const isWithinLimits = (
  { grantLimits }: Pick<SettingsDetails, "grantLimits">,
  role: Role,
  given: GivenAccess,
  now: Date,
) => {
  const own = (grantLimits as Partial<Record<Role, GrantLimit>>)[role];
  return own !== undefined && isWithin(own, given, now);
};
