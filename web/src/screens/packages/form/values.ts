import { t } from "@lingui/core/macro";
import { defaultsOf, pick } from "@purser/contract/fields/declarations";
import type { Wire } from "@purser/contract/http/endpoint";
import type { createPackage } from "@purser/contract/packages/endpoints";
import { packageDetails, packageFields, packageWritable } from "@purser/contract/packages/fields";
import { z } from "zod";
import { series } from "#lib/intl.ts";
import { taxCategoryNames } from "#lib/labels/packages.ts";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import { intervalLabel, priceLabel } from "#lib/money/prices.ts";
import { toFormLabels } from "#ui/form/Field.tsx";
import type { FormValuesWith } from "#ui/form/formValues.ts";
import { kindLabels, visibilityLabels } from "../labels.ts";
import type { Package } from "../queries.ts";
import { offerOf, type PriceValue } from "./nextPrice.ts";

type Body = Wire<typeof createPackage>["body"];

export type PackageValues = FormValuesWith<
  Body,
  { sort: EditedAmount; trialDays: EditedAmount; prices: PriceValue[] }
>;

export const emptyPackage: PackageValues = {
  name: "",
  code: "",
  ...defaultsOf(packageFields),
  prices: [],
};

export const valuesOf = (stored: Package) => {
  const values: PackageValues = pick(stored, packageWritable);
  return { values, version: stored.version };
};

const shownPrice = ({ amount, intervalCount, ...rest }: PriceValue) => {
  const { currency } = rest;
  const shownAmount = amount || t`No amount`;
  const interval = intervalLabel({ ...rest, intervalCount: 1 });
  return typeof amount === "number" && typeof intervalCount === "number"
    ? priceLabel({ ...rest, amount, intervalCount })
    : t`${shownAmount} ${currency}, ${interval}`;
};

const priceParts: Record<string, (row: number) => string> = {
  currency: (row) => t`Price ${row}: currency`,
  amount: (row) => t`Price ${row}: amount`,
  interval: (row) => t`Price ${row}: interval`,
  intervalCount: (row) => t`Price ${row}: interval`,
  perUnit: (row) => t`Price ${row}: per unit`,
};

export const formLabels = toFormLabels<PackageValues, typeof packageFields>(packageFields, {
  kind: { show: (kind) => kindLabels[kind].label },
  baseGroups: { show: (groups) => (groups.length === 0 ? t`Any group` : series(groups)) },
  taxCategory: { show: (category) => taxCategoryNames[category] },
  visibility: { show: (one) => visibilityLabels[one].label },
  prices: {
    show: (prices) => series(prices.map(shownPrice)),
    part: ([place = "0", part = ""]) => priceParts[part]?.(Number(place) + 1) ?? "",
  },
});

/** The request body. The form is validated first, so amounts are numbers here. */
export const bodyOf = ({ prices, sort, trialDays, ...rest }: PackageValues): Body => ({
  ...rest,
  sort: Number(sort),
  trialDays: Number(trialDays),
  prices: prices.map(({ amount, intervalCount, ...price }) => ({
    ...price,
    amount: Number(amount),
    intervalCount: Number(intervalCount),
  })),
});

/** Whether a row above has the same currency and interval. */
export const isTwice = (prices: PriceValue[], place: number) => {
  const own = prices[place];
  return own !== undefined && prices.slice(0, place).some((one) => offerOf(one) === offerOf(own));
};

/** Only invalid amounts are checked here; the contract checks everything else. */
export const packageForm = z.custom<PackageValues>().superRefine((values, context) => {
  const refused = new Set<string>();
  for (const [place, { amount, currency }] of values.prices.entries()) {
    const message = currency === "" ? null : amountError(amount, currency);
    const path = ["prices", place, "amount"];
    if (!message) continue;
    refused.add(path.join("."));
    context.addIssue({ code: "custom", path, message });
  }
  for (const { path, message } of packageDetails.safeParse(values).error?.issues ?? [])
    if (!refused.has(path.join(".")))
      context.addIssue({ code: "custom", path: [...path], message });
});
