import { t } from "@lingui/core/macro";
import type { TaxCategory } from "@purser/contract/money/taxRates";
import type { packageKinds, visibilities } from "@purser/contract/packages/fields";
import type { RolloutMode, rolloutStatuses } from "@purser/contract/packages/publishing";

export const packageKindNames: Record<(typeof packageKinds)[number], string> = {
  base: t`Base`,
  "add-on": t`Add-on`,
};

export const visibilityNames: Record<(typeof visibilities)[number], string> = {
  public: t`Public`,
  hidden: t`Hidden`,
};

export const rolloutModeNames: Record<RolloutMode, string> = {
  "new buyers": t`New customers only`,
  now: t`Everyone now`,
  renewal: t`Everyone at renewal`,
  date: t`Everyone on a set date`,
};

export const rolloutStatusNames: Record<(typeof rolloutStatuses)[number], string> = {
  waiting: t`Waiting`,
  running: t`Running`,
  paused: t`Paused`,
  done: t`Done`,
};

export const taxCategoryNames: Record<TaxCategory, string> = {
  standard: t`Standard rate`,
  reduced: t`Reduced rate`,
  exempt: t`Tax-exempt`,
};
