import { t } from "@lingui/core/macro";
import type { enforcements, fallbacks } from "@purser/contract/features/fields";
import type { Anchor, Combining, FeatureKind, Reset } from "@purser/contract/fields/values";

export const featureKindNames: Record<FeatureKind, string> = {
  switch: t`Switch`,
  limit: t`Limit`,
  metered: t`Metered`,
  choice: t`Choice`,
};

export const combiningNames: Record<Combining, string> = {
  largest: t`Use the largest`,
  sum: t`Add together`,
};

export const resetNames: Record<Reset, string> = {
  never: t`Never`,
  hour: t`Every hour`,
  day: t`Every day`,
  week: t`Every week`,
  month: t`Every month`,
  year: t`Every year`,
};

export const anchorNames: Record<Anchor, string> = {
  calendar: t`Calendar`,
  subscription: t`Subscription`,
};

export const enforcementNames: Record<(typeof enforcements)[number], string> = {
  hard: t`Block`,
  soft: t`Warn`,
};

export const fallbackNames: Record<(typeof fallbacks)[number], string> = {
  "last known": t`Use the last known answer`,
  allow: t`Allow`,
  deny: t`Deny`,
};
