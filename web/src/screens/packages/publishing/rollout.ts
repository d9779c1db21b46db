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

export const modeLabels = (
  mode: RolloutMode,
  { number, impact, zone }: Facts,
): { label: string; help: string } => {
  switch (mode) {
    case "new buyers":
      return {
        label: "Keep them on their version",
        help: `Only new buyers get version ${number}.`,
      };
    case "renewal":
      return {
        label: "Move each at the next renewal",
        help: impact.lastRenewal
          ? `The last one moves on ${formatDate(zone, new Date(impact.lastRenewal))}.`
          : "Nothing renews: they stay until somebody moves them.",
      };
    case "now":
      return {
        label: "Move all of them now",
        help: "It begins at once, and cannot be undone as one.",
      };
    case "date":
      return { label: "Move all of them from a date", help: `In the time zone ${zone}.` };
  }
};
