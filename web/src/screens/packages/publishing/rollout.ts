import { t } from "@lingui/core/macro";
import type { RolloutMode } from "@purser/contract/packages/publishing";
import { formatDate } from "#lib/time/dates.ts";
import type { Impact } from "../matrix/queries.ts";

/** How subscribers are migrated to a version; `at` is local time as typed. */
export type Rollout = { mode: RolloutMode; at: string };

/** Ordered by impact on subscribers, lowest first. */
export const modesInOrder: readonly RolloutMode[] = ["new buyers", "renewal", "now", "date"];

type Count = { count: number; isAtMost: boolean };

type Counted = Pick<Impact, "subscribers" | "isAtMost" | "gain" | "lose"> & {
  effects: readonly Pick<Impact["effects"][number], "lose" | "above" | "isUseKnown">[];
  renewals: readonly Pick<Impact["renewals"][number], "renewals">[];
};

/** Whether the use of everything that is removed is known, so that only those who use it lose. */
export const isLossByUse = ({ effects }: Pick<Counted, "effects">) => {
  const losing = effects.filter(({ lose }) => lose > 0);
  return losing.length > 0 && losing.every(({ isUseKnown }) => isUseKnown);
};

const lossOf = (impact: Counted): Count => {
  const { effects, lose, isAtMost } = impact;
  if (!isLossByUse(impact)) return { count: lose, isAtMost };
  const users = effects.filter(({ above }) => above > 0);
  const sum = users.reduce((all, { above }) => all + above, 0);
  // A customer who uses too much of several features is in several numbers.
  return { count: Math.min(lose, sum), isAtMost: isAtMost || users.length > 1 };
};

/** How many gain and lose something by this rollout. */
export const effectOf = (mode: RolloutMode, impact: Counted): { gain: Count; lose: Count } => {
  const none = { count: 0, isAtMost: false };
  if (mode === "new buyers") return { gain: none, lose: none };
  const { subscribers, isAtMost } = impact;
  const renewing = impact.renewals.reduce((sum, { renewals }) => sum + renewals, 0);
  // Subscribers whose access doesn't renew keep their version.
  const capped = ({ count, isAtMost: most }: Count): Count =>
    mode === "renewal" && renewing < subscribers
      ? { count: Math.min(count, renewing), isAtMost: most || (count > 0 && renewing > 0) }
      : { count, isAtMost: most };
  return { gain: capped({ count: impact.gain, isAtMost }), lose: capped(lossOf(impact)) };
};

type Facts = { impact: Pick<Impact, "lastRenewal">; zone: string };

const lastRenewalText = (date: string) =>
  t`The new price applies from the renewal. The last one is on ${date}.`;

export const modeLabels = (
  mode: RolloutMode,
  { impact, zone }: Facts,
): { label: string; help: string } => {
  switch (mode) {
    case "new buyers":
      return {
        label: t`New customers only`,
        help: t`Current subscribers keep their version and price.`,
      };
    case "renewal":
      return {
        label: t`At each subscriber's next renewal`,
        help: impact.lastRenewal
          ? lastRenewalText(formatDate(zone, new Date(impact.lastRenewal)))
          : t`No subscription renews, so no one is migrated.`,
      };
    case "now":
      return {
        label: t`Everyone now`,
        help: t`Values change now, the price at the next renewal. Can't be undone in one step.`,
      };
    case "date":
      return { label: t`Everyone on a date`, help: t`Time zone ${zone}` };
  }
};
