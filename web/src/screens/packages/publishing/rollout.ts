import { t } from "@lingui/core/macro";
import type { RolloutMode } from "@purser/contract/packages/publishing";
import { formatDate } from "#lib/time/dates.ts";
import type { Impact } from "../matrix/queries.ts";

/** How subscribers are migrated to a version; `at` is local time as typed. */
export type Rollout = { mode: RolloutMode; at: string };

/** Ordered by impact on subscribers, lowest first. */
export const modesInOrder: readonly RolloutMode[] = ["new buyers", "renewal", "now", "date"];

/** The default: if anyone would lose something, migrate at renewal; otherwise migrate no one. */
export const usualMode = ({ lose }: Pick<Impact, "lose">): RolloutMode =>
  lose > 0 ? "renewal" : "new buyers";

type Facts = { number: number; impact: Pick<Impact, "lastRenewal">; zone: string };

const lastRenewalText = (date: string) => t`The last migration is on ${date}.`;

export const modeLabels = (
  mode: RolloutMode,
  { number, impact, zone }: Facts,
): { label: string; help: string } => {
  switch (mode) {
    case "new buyers":
      return {
        label: t`Keep their version`,
        help: t`Only new customers get version ${number}.`,
      };
    case "renewal":
      return {
        label: t`Migrate at the next renewal`,
        help: impact.lastRenewal
          ? lastRenewalText(formatDate(zone, new Date(impact.lastRenewal)))
          : t`No subscription renews, so no one is migrated.`,
      };
    case "now":
      return {
        label: t`Migrate everyone now`,
        help: t`Starts now. Can't be undone in one step.`,
      };
    case "date":
      return { label: t`Migrate everyone on a date`, help: t`Time zone ${zone}` };
  }
};
