import type { SettingsDetails } from "@purser/contract/workspace/settings";
import { type Db, run } from "#platform/db/db.ts";

export const replaceSettings = async (db: Db, details: SettingsDetails) => {
  await run(
    db,
    `update settings set company_name = $1, time_zone = $2, currencies = $3, second_factor_roles = $4,
       second_factor_grace_days = $5, passwords_allowed = $6, sign_in_groups = $7::jsonb, grace_days = $8,
       refund_limits = $9::jsonb, approval_rules = $10, approval_days = $11`,
    [
      details.companyName,
      details.timeZone,
      details.currencies,
      details.twoFactorRoles,
      details.twoFactorGraceDays,
      details.passwordsAllowed,
      JSON.stringify(details.signInGroups),
      details.graceDays,
      JSON.stringify(details.refundLimits),
      details.approvalRules,
      details.approvalDays,
    ],
  );
};
