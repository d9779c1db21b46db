import { currentRole } from "@purser/contract/auth/permissions";
import type { Retention } from "@purser/contract/workspace/retention";
import {
  changeSettings,
  noSeller,
  type Seller,
  settings,
} from "@purser/contract/workspace/settings";
import type { Reverting } from "#platform/audit/revert.ts";
import { findSettings } from "#platform/settings.ts";

/** A stored null means the value of the environment. The endpoint doesn't take null, so that value is written. */
export const revertingSettings = (environment: {
  companyName: string;
  timeZone: string;
  retention: Retention;
}): Reverting => ({
  entity: "settings",
  find: async (db) => {
    const stored = await findSettings(db);
    return {
      ...stored,
      companyName: stored.companyName ?? environment.companyName,
      timeZone: stored.timeZone ?? environment.timeZone,
      retention: { ...environment.retention, ...stored.retention },
    };
  },
  reply: settings,
  blanks: environment,
  // The columns kept their names.
  names: { secondFactorRoles: "twoFactorRoles", secondFactorGraceDays: "twoFactorGraceDays" },
  change: changeSettings,
  renamed: {
    // Before it was first saved, the seller is an empty object.
    seller: (stored) => ({ ...noSeller, ...(stored as Partial<Seller>) }),
    // Only what differs from the defaults is stored.
    retention: (stored) => ({ ...environment.retention, ...(stored as Partial<Retention>) }),
    second_factor_roles: (stored) => (stored as string[]).map(currentRole),
    sign_in_groups: (stored) =>
      (stored as { role: string }[]).map((one) => ({ ...one, role: currentRole(one.role) })),
  },
});
