import type { Retention } from "@purser/contract/workspace/retention";
import type { GrantingRole, SettingsDetails } from "@purser/contract/workspace/settings";
import type { Settings } from "./queries.ts";

export type KeptDays = Exclude<keyof Retention, "archiveMonths">;

/** Invalid numbers are kept as typed. */
type Typed = number | string;

/** Limits are rows here, because a row can be without its amount while typing. */
export type SettingsValues = Omit<
  SettingsDetails,
  | (
      | "twoFactorGraceDays"
      | "graceDays"
      | "approvalDays"
      | "waitingHours"
      | "documentRetentionYears"
    )
  | ("refundLimits" | "refundDailyLimits" | "refundCustomerLimits" | "grantLimits" | "retention")
> & {
  twoFactorGraceDays: Typed;
  graceDays: Typed;
  approvalDays: Typed;
  waitingHours: Typed;
  refundLimits: Record<string, Typed>;
  refundDailyLimits: Record<string, Typed>;
  refundCustomerLimits: Record<string, Typed>;
  grantLimits: Partial<Record<GrantingRole, { days: Typed | null; packages: string[] }>>;
  documentRetentionYears: Typed;
  retention: { [Name in KeptDays]: Typed | Extract<Retention[Name], null> } & Pick<
    Retention,
    "archiveMonths"
  >;
};

export const valuesOf = ({ version, updatedAt: _, ...values }: Settings) => ({ values, version });
