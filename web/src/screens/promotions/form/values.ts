import { t } from "@lingui/core/macro";
import type { Wire } from "@purser/contract/http/endpoint";
import { type createPromotion, promotionDetails } from "@purser/contract/promotions/endpoints";
import { z } from "zod";
import { number } from "#lib/intl.ts";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import type { FormValues, FormValuesWith } from "#ui/form/formValues.ts";
import type { Promotion } from "../queries.ts";
import { knownMoment } from "../schedule.ts";

export type PromotionBody = Wire<typeof createPromotion>["body"];

/** An optional number; invalid input is kept as typed. */
export type MaybeTyped = EditedAmount | null;

export const amountParts = ["off", "minimum", "cap", "budget"] as const;
export type AmountPart = (typeof amountParts)[number];

/** The form's values for one currency. */
export type AmountValue = { currency: string } & Record<AmountPart, MaybeTyped>;

/** Includes values of other kinds, so that they return when the kind is chosen again. */
export type PromotionValues = FormValuesWith<
  PromotionBody,
  {
    code: string;
    basisPoints: MaybeTyped;
    trialDays: MaybeTyped;
    featureId: string;
    featureDays: MaybeTyped;
    periods: MaybeTyped;
    redemptionLimit: MaybeTyped;
    redemptionLimitPerCustomer: MaybeTyped;
    amounts: AmountValue[];
    priority: EditedAmount;
  }
>;

export const emptyPromotion: PromotionValues = {
  name: "",
  requiresCode: true,
  code: "",
  kind: "percent",
  basisPoints: null,
  trialDays: null,
  featureId: "",
  value: null,
  featureDays: null,
  level: "line",
  duration: "once",
  periods: null,
  packageIds: [],
  intervals: [],
  audience: "anyone",
  customers: [],
  startsAt: null,
  endsAt: null,
  redemptionLimit: null,
  redemptionLimitPerCustomer: null,
  amounts: [],
  stacking: "exclusive",
  priority: 0,
  restoresRedemption: false,
};

/** A promotion with its email addresses, where they are known. */
export type Read = Promotion & { listed?: string[] };

export const valuesOf = (stored: Promotion, customers: string[]) => {
  const values: PromotionValues = {
    name: stored.name,
    requiresCode: stored.requiresCode,
    code: stored.code ?? "",
    kind: stored.kind,
    basisPoints: stored.basisPoints,
    trialDays: stored.trialDays,
    featureId: stored.feature?.id ?? "",
    value: stored.value,
    featureDays: stored.featureDays,
    level: stored.level,
    duration: stored.duration,
    periods: stored.periods,
    packageIds: stored.packages.map(({ id }) => id),
    intervals: stored.intervals,
    audience: stored.audience,
    customers,
    startsAt: stored.startsAt,
    endsAt: stored.endsAt,
    redemptionLimit: stored.redemptionLimit,
    redemptionLimitPerCustomer: stored.redemptionLimitPerCustomer,
    amounts: stored.amounts.map(({ given: _, ...amounts }) => amounts),
    stacking: stored.stacking,
    priority: stored.priority,
    restoresRedemption: stored.restoresRedemption,
  };
  return { values, version: stored.version };
};

/** Splits typed or pasted email addresses. */
export const addressesOf = (lines: string[]) =>
  lines.flatMap((line) => line.split(/[\s,;]+/)).filter((address) => address !== "");

/** Invalid numbers are passed on as typed, for the contract to refuse. */
const sent = (value: MaybeTyped) => (value === "" ? null : value) as number | null;

const isDiscount = ({ kind }: PromotionValues) => kind === "percent" || kind === "fixed";

/** The request body: only the fields of the chosen kind. */
export const bodyOf = (values: PromotionValues): FormValues<PromotionBody> => {
  const { kind, duration, requiresCode, audience } = values;
  const of = <T>(wanted: boolean, value: T) => (wanted ? value : null);
  const lasts = isDiscount(values) ? duration : "once";
  return {
    name: values.name,
    requiresCode,
    code: of(requiresCode && values.code.trim() !== "", values.code.trim()),
    kind,
    basisPoints: of(kind === "percent", sent(values.basisPoints)),
    trialDays: of(kind === "trial", sent(values.trialDays)),
    featureId: of(kind === "feature" && values.featureId !== "", values.featureId),
    value: of(kind === "feature", values.value),
    featureDays: of(kind === "feature", sent(values.featureDays)),
    level: values.level,
    duration: lasts,
    periods: of(lasts === "periods", sent(values.periods)),
    packageIds: values.packageIds,
    intervals: values.intervals,
    audience,
    customers: audience === "listed" ? addressesOf(values.customers) : [],
    startsAt: values.startsAt,
    endsAt: values.endsAt,
    redemptionLimit: sent(values.redemptionLimit),
    redemptionLimitPerCustomer: sent(values.redemptionLimitPerCustomer),
    amounts: values.amounts.map(({ currency, off, minimum, cap, budget }) => ({
      currency,
      off: of(kind === "fixed", sent(off)),
      minimum: sent(minimum),
      cap: of(isDiscount(values), sent(cap)),
      budget: of(isDiscount(values), sent(budget)),
    })),
    stacking: values.stacking,
    priority: Number(values.priority),
    restoresRedemption: values.restoresRedemption,
  };
};

/** Fields for whole numbers, with the message for invalid input. */
const wholes = [
  "trialDays",
  "featureDays",
  "periods",
  "redemptionLimit",
  "redemptionLimitPerCustomer",
] as const;

const wholeNumber = t`Enter a whole number.`;
const example = number(12.5);
const percentage = t`Enter a percentage, such as ${example}.`;

type Complaint = [path: (string | number)[], message: string];

/** Only invalid numbers and dates are checked here; the contract checks everything else. */
const validationMessages = (values: PromotionValues, body: PromotionBody): Complaint[] => [
  ...wholes.flatMap((field): Complaint[] =>
    typeof body[field] === "string" ? [[[field], wholeNumber]] : [],
  ),
  ...(typeof body.basisPoints === "string"
    ? [[["basisPoints"], percentage] satisfies Complaint]
    : []),
  ...(["startsAt", "endsAt"] as const).flatMap((field): Complaint[] =>
    values[field] === knownMoment(values[field]) ? [] : [[[field], t`Enter a date.`]],
  ),
  ...(typeof values.priority === "string" ? [[["priority"], wholeNumber] satisfies Complaint] : []),
  ...(body.amounts ?? []).flatMap((row, place) =>
    amountParts.flatMap((part): Complaint[] => {
      const amount = row[part] as MaybeTyped | undefined;
      const message = typeof amount === "string" ? amountError(amount, row.currency) : null;
      return message ? [[["amounts", place, part], message]] : [];
    }),
  ),
];

export const promotionForm = z.custom<PromotionValues>().superRefine((values, context) => {
  const body = bodyOf(values);
  const own = validationMessages(values, body);
  const refused = new Set(own.map(([path]) => path.join(".")));
  for (const [path, message] of own) context.addIssue({ code: "custom", path, message });
  for (const { path, message } of promotionDetails.safeParse(body).error?.issues ?? [])
    if (!refused.has(path.join(".")))
      context.addIssue({ code: "custom", path: [...path], message });
});

/** The body for previews, or null while it is invalid. A name isn't required yet. */
export const previewBody = (values: PromotionValues): PromotionBody | null => {
  const body = bodyOf({ ...values, name: values.name.trim() || t`This promotion` });
  return validationMessages(values, body).length === 0 && promotionDetails.safeParse(body).success
    ? body
    : null;
};

const alphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 13;

/** A random code of characters that don't look alike, in groups for readability. */
export const randomCode = () => {
  let code = "";
  while (code.length < codeLength)
    // Bytes beyond the last full round are dropped, because they would favor some characters.
    for (const byte of crypto.getRandomValues(new Uint8Array(codeLength)))
      if (byte < 240 && code.length < codeLength) code += alphabet.charAt(byte % alphabet.length);
  return code.replace(/.{4}(?=.)/g, "$&-");
};
