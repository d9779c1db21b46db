import type { RolloutMode } from "@purser/contract/packages/publishing";
import { dateIn } from "#lib/time/dates.ts";
import type { Impact } from "../matrix/queries.ts";

/** How the holders come to a version, as somebody chose it; `at` is what the clock shows. */
export type Rollout = { mode: RolloutMode; at: string };

/** The mildest first. */
export const modesInOrder: readonly RolloutMode[] = ["new buyers", "renewal", "now", "date"];

/** Where nobody chose: who loses something keeps it for what was paid, and otherwise nobody is moved. */
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
          ? `The last one moves on ${dateIn(zone, new Date(impact.lastRenewal))}.`
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
