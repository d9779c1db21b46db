import type { SettingsDetails } from "@purser/contract/workspace/settings";
import type { Settings } from "./queries.ts";

/** While somebody types, a number may be no number yet. */
type Typed = number | string;

/** What the form holds: limits as rows, because a row may lack its amount for a while. */
export type SettingsValues = Omit<
  SettingsDetails,
  "secondFactorGraceDays" | "graceDays" | "approvalDays" | "refundLimits"
> & {
  secondFactorGraceDays: Typed;
  graceDays: Typed;
  approvalDays: Typed;
  refundLimits: Record<string, Typed>;
};

export const valuesOf = ({ version, updatedAt: _, ...values }: Settings) => ({ values, version });
