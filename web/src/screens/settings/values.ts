import type { SettingsDetails } from "@purser/contract/workspace/settings";
import type { Settings } from "./queries.ts";

/** Invalid numbers are kept as typed. */
type Typed = number | string;

/** Limits are rows here, because a row can be without its amount while typing. */
export type SettingsValues = Omit<
  SettingsDetails,
  "twoFactorGraceDays" | "graceDays" | "approvalDays" | "refundLimits" | "documentRetentionYears"
> & {
  twoFactorGraceDays: Typed;
  graceDays: Typed;
  approvalDays: Typed;
  refundLimits: Record<string, Typed>;
  documentRetentionYears: Typed;
};

export const valuesOf = ({ version, updatedAt: _, ...values }: Settings) => ({ values, version });
