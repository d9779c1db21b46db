import { t } from "@lingui/core/macro";
import type { intervals } from "@purser/contract/packages/prices";
import type {
  audiences,
  durations,
  levels,
  promotionKinds,
} from "@purser/contract/promotions/fields";

export const promotionKindNames: Record<(typeof promotionKinds)[number], string> = {
  percent: t`Percentage`,
  fixed: t`Fixed amount`,
  trial: t`Free trial extension`,
  feature: t`Feature`,
};

export const audienceNames: Record<(typeof audiences)[number], string> = {
  anyone: t`Everyone`,
  new: t`Customers who never had a package`,
  existing: t`Customers who have or had a package`,
  "first purchase": t`First-time buyers`,
  listed: t`Selected customers`,
};

export const levelNames: Record<(typeof levels)[number], string> = {
  line: t`Each package`,
  order: t`The order total`,
};

export const durationNames: Record<(typeof durations)[number], string> = {
  once: t`First payment only`,
  periods: t`Several payments`,
  forever: t`Every payment`,
};

export const intervalNames: Record<(typeof intervals)[number], string> = {
  once: t`Once`,
  day: t`Daily`,
  week: t`Weekly`,
  month: t`Monthly`,
  year: t`Yearly`,
};
