import {
  type enforcements,
  type fallbacks,
  featureListFields,
} from "@purser/contract/features/fields";
import type { Combining, FeatureKind, Option, Reset } from "@purser/contract/fields/values";
import { anyApp } from "#screens/apps/queries.ts";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import { kindSigns } from "#ui/money/FeatureKind.tsx";
import { lifeOptions } from "#ui/record/lifecycle.tsx";

export const kindLabels = {
  switch: { ...kindSigns.switch, help: "On or off: people have it, or they do not." },
  limit: { ...kindSigns.limit, help: "A number to stay within, such as seats or projects." },
  metered: {
    ...kindSigns.metered,
    help: "An allowance that is used up and fills again, such as exports a month.",
  },
  choice: {
    ...kindSigns.choice,
    help: "One of several options, each giving more than the one before.",
  },
} satisfies Record<FeatureKind, object>;

export const combiningLabels: Record<Combining, { label: string; help: string }> = {
  largest: { label: "The largest counts", help: "Packages of 10 and 25 give 25 together." },
  sum: { label: "They add up", help: "Packages of 10 and 25 give 35 together." },
};

/** How values combine, for any kind, as a short fact. */
export const combiningFacts = (kind: FeatureKind, combining: Combining) => {
  if (kind === "switch") return "On if any is on";
  if (kind === "choice") return "The highest counts";
  return combiningLabels[combining].label;
};

export const resetLabels: Record<Reset, string> = {
  never: "Never",
  hour: "Every hour",
  day: "Every day",
  week: "Every week",
  month: "Every month",
  year: "Every year",
};

export const enforcementLabels: Record<
  (typeof enforcements)[number],
  { label: string; help: string }
> = {
  hard: { label: "Stop them", help: "The app refuses what they do not have." },
  soft: { label: "Only tell them", help: "The app lets it pass, and says so." },
};

export const fallbackLabels: Record<(typeof fallbacks)[number], { label: string; help: string }> = {
  "last known": {
    label: "The last answer",
    help: "The app goes on with what it heard last.",
  },
  allow: { label: "Allow", help: "Nobody is kept out meanwhile." },
  deny: { label: "Deny", help: "Nobody gets it meanwhile." },
};

export const fieldWords = listLabels(featureListFields, {
  app: { relation: anyApp },
  kind: { options: { switch: "Switch", limit: "Limit", metered: "Metered", choice: "Choice" } },
  status: { options: lifeOptions },
});

export const unitLabels = (unit: { one: string; many: string } | null) =>
  unit ? `${unit.one}, ${unit.many}` : "";

export const optionList = (options: readonly Option[]) =>
  options.map(({ name, code }) => name || code).join(", ");
