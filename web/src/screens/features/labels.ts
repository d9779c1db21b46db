import { t } from "@lingui/core/macro";
import {
  type enforcements,
  type fallbacks,
  featureListFields,
} from "@purser/contract/features/fields";
import type { Anchor, Combining, FeatureKind, Option } from "@purser/contract/fields/values";
import { series } from "#lib/intl.ts";
import {
  anchorNames,
  combiningNames,
  enforcementNames,
  fallbackNames,
  featureKindNames,
} from "#lib/labels/features.ts";
import { anyApp } from "#screens/apps/queries.ts";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import { kindSigns } from "#ui/money/FeatureKind.tsx";
import { lifeOptions } from "#ui/record/lifecycle.tsx";

export const kindLabels = {
  switch: { ...kindSigns.switch, help: t`On or off for each customer.` },
  limit: { ...kindSigns.limit, help: t`A maximum number, such as seats or projects.` },
  metered: {
    ...kindSigns.metered,
    help: t`An allowance that resets, such as exports a month.`,
  },
  choice: {
    ...kindSigns.choice,
    help: t`One of several options, ordered from lowest to highest.`,
  },
} satisfies Record<FeatureKind, object>;

export const combiningLabels: Record<Combining, { label: string; help: string }> = {
  largest: { label: combiningNames.largest, help: t`Packages with 10 and 25 give 25.` },
  sum: { label: combiningNames.sum, help: t`Packages with 10 and 25 give 35.` },
};

export const anchorLabels: Record<Anchor, { label: string; help: string }> = {
  calendar: { label: anchorNames.calendar, help: t`Resets on the same day for all customers.` },
  subscription: {
    label: anchorNames.subscription,
    help: t`Resets with the paid period of each customer.`,
  },
};

/** What following the subscription means for a reset. */
export const anchorExamples = {
  day: t`Bought at 10:30: resets every day at 10:30.`,
  week: t`Bought on a Wednesday: resets every Wednesday.`,
  month: t`Bought on the 31st: resets on the last day of shorter months.`,
  year: t`Bought on February 29: resets on February 28 in other years.`,
};

/** How values combine, for any kind, as a short fact. */
export const combiningFacts = (kind: FeatureKind, combining: Combining) => {
  if (kind === "switch") return t`On if any package has it`;
  if (kind === "choice") return t`Use the highest`;
  return combiningLabels[combining].label;
};

export const enforcementLabels: Record<
  (typeof enforcements)[number],
  { label: string; help: string }
> = {
  hard: { label: enforcementNames.hard, help: t`The app blocks usage over the limit.` },
  soft: { label: enforcementNames.soft, help: t`The app allows it and shows a warning.` },
};

export const fallbackLabels: Record<(typeof fallbacks)[number], { label: string; help: string }> = {
  "last known": {
    label: fallbackNames["last known"],
    help: t`The app keeps using the previous result.`,
  },
  allow: { label: fallbackNames.allow, help: t`Everyone has access until then.` },
  deny: { label: fallbackNames.deny, help: t`No one has access until then.` },
};

export const fieldLabels = listLabels(featureListFields, {
  app: { relation: anyApp },
  kind: {
    options: featureKindNames,
  },
  status: { options: lifeOptions },
});

/** Why a field of a published feature is read-only. */
export const lockedReason = t`Can't be changed because a published package includes this feature.`;

export const unitLabels = (unit: { one: string; many: string } | null) =>
  unit ? `${unit.one}, ${unit.many}` : "";

export const optionList = (options: readonly Option[]) =>
  series(options.map(({ name, code }) => name || code));
