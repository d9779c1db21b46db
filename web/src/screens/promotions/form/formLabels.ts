import { plural, t } from "@lingui/core/macro";
import type { Value } from "@purser/contract/fields/values";
import { promotionFields } from "@purser/contract/promotions/fields";
import { money, number, percentOfBasisPoints, series } from "#lib/intl.ts";
import { toFormLabels } from "#ui/form/Field.tsx";
import {
  amountTexts,
  audienceLabels,
  daysLabel,
  durationLabels,
  intervalsLabels,
  kindLabels,
  levelLabels,
  stackingLabels,
  valueLabels,
} from "../labels.ts";
import { firstDayLabels, lastDayLabels } from "../schedule.ts";
import {
  type AmountPart,
  type AmountValue,
  addressesOf,
  amountParts,
  type MaybeTyped,
  type PromotionValues,
} from "./values.ts";

export const amountLabels: Record<AmountPart, string> = {
  off: t`Amount off`,
  minimum: t`Minimum purchase`,
  cap: t`Maximum discount`,
  budget: t`Budget`,
};

export const amountInLabels: Record<AmountPart, (currency: string) => string> = {
  off: (currency) => t`Amount off in ${currency}`,
  minimum: (currency) => t`Minimum purchase in ${currency}`,
  cap: (currency) => t`Maximum discount in ${currency}`,
  budget: (currency) => t`Budget in ${currency}`,
};

const amountInRowLabels: Record<AmountPart | "currency", (row: number) => string> = {
  currency: (row) => t`Currency in row ${row}`,
  off: (row) => t`Amount off in row ${row}`,
  minimum: (row) => t`Minimum purchase in row ${row}`,
  cap: (row) => t`Maximum discount in row ${row}`,
  budget: (row) => t`Budget in row ${row}`,
};

const typedLabels = (value: MaybeTyped, show: (value: number) => string) =>
  typeof value === "number" ? show(value) : (value ?? "");

const rowLabels = (row: AmountValue) => {
  const { currency } = row;
  const texts = amountParts.flatMap((part) => {
    const amount = row[part];
    if (amount === null || amount === "") return [];
    return [amountTexts[part](typedLabels(amount, (minor) => money(minor, currency)))];
  });
  return texts.length > 0 ? series(texts) : t`No amounts in ${currency}`;
};

const limit = (value: MaybeTyped) => typedLabels(value, number) || t`No limit`;
const yesOrNo = (value: boolean) => (value ? t`Yes` : t`No`);

/** `names` are the names of packages, because the form has only their ids. */
export const formLabelsFor = (names: ReadonlyMap<string, string>) =>
  toFormLabels<PromotionValues, typeof promotionFields>(promotionFields, {
    requiresCode: { show: yesOrNo },
    kind: { show: (kind) => kindLabels[kind] },
    basisPoints: { show: (value) => typedLabels(value, percentOfBasisPoints) },
    trialDays: { show: (value) => typedLabels(value, daysLabel) },
    featureId: { show: (id) => (id === "" ? "" : (names.get(id) ?? t`Unknown feature`)) },
    value: {
      show: (value: Value | null) => (value === null ? "" : valueLabels(value)),
    },
    featureDays: {
      show: (value) => typedLabels(value, daysLabel) || t`As long as the package`,
    },
    level: { show: (level) => levelLabels[level] },
    duration: {
      show: (duration, { periods }) =>
        durationLabels({ duration, periods: typeof periods === "number" ? periods : null }),
    },
    periods: { show: (value) => typedLabels(value, number) },
    packageIds: {
      show: (ids) =>
        ids.length === 0
          ? t`All packages`
          : series(ids.map((id) => names.get(id) ?? t`Unknown package`)),
    },
    intervals: { show: (given) => intervalsLabels(given) },
    audience: { show: (audience) => audienceLabels[audience] },
    customers: {
      show: (lines) =>
        plural(addressesOf(lines).length, { one: "# email address", other: "# email addresses" }),
    },
    startsAt: { show: firstDayLabels },
    endsAt: { show: lastDayLabels },
    redemptionLimit: { show: limit },
    redemptionLimitPerCustomer: { show: limit },
    amounts: {
      show: (rows) => rows.map(rowLabels).join(" · "),
      part: ([place = "0", part]) =>
        amountInRowLabels[amountParts.find((one) => one === part) ?? "currency"](Number(place) + 1),
    },
    stacking: { show: (stacking) => stackingLabels[stacking] },
    restoresRedemption: { show: yesOrNo },
  });
