import type { Wire } from "@purser/contract/http/endpoint";
import { type createPromotion, promotionDetails } from "@purser/contract/promotions/endpoints";
import { z } from "zod";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import type { FormValues, FormValuesWith } from "#ui/form/formValues.ts";
import type { Promotion } from "../queries.ts";

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
    maxUses: MaybeTyped;
    maxUsesPerUser: MaybeTyped;
    amounts: AmountValue[];
    priority: EditedAmount;
  }
>;

export const emptyPromotion: PromotionValues = {
  name: "",
  needsCode: true,
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
  people: [],
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerUser: null,
  amounts: [],
  stacking: "exclusive",
  priority: 0,
  returnsUse: false,
};

/** A promotion with its email addresses, where they are known. */
export type Read = Promotion & { listed?: string[] };

export const valuesOf = (stored: Promotion, people: string[]) => {
  const values: PromotionValues = {
    name: stored.name,
    needsCode: stored.needsCode,
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
    people,
    startsAt: stored.startsAt,
    endsAt: stored.endsAt,
    maxUses: stored.maxUses,
    maxUsesPerUser: stored.maxUsesPerUser,
    amounts: stored.amounts.map(({ given: _, ...amounts }) => amounts),
    stacking: stored.stacking,
    priority: stored.priority,
    returnsUse: stored.returnsUse,
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
  const { kind, duration, needsCode, audience } = values;
  const of = <T>(wanted: boolean, value: T) => (wanted ? value : null);
  const lasts = isDiscount(values) ? duration : "once";
  return {
    name: values.name,
    needsCode,
    code: of(needsCode && values.code.trim() !== "", values.code.trim()),
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
    people: audience === "listed" ? addressesOf(values.people) : [],
    startsAt: values.startsAt,
    endsAt: values.endsAt,
    maxUses: sent(values.maxUses),
    maxUsesPerUser: sent(values.maxUsesPerUser),
    amounts: values.amounts.map(({ currency, off, minimum, cap, budget }) => ({
      currency,
      off: of(kind === "fixed", sent(off)),
      minimum: sent(minimum),
      cap: of(isDiscount(values), sent(cap)),
      budget: of(isDiscount(values), sent(budget)),
    })),
    stacking: values.stacking,
    priority: Number(values.priority),
    returnsUse: values.returnsUse,
  };
};

/** Fields for whole numbers, with the message for invalid input. */
const wholes = ["trialDays", "featureDays", "periods", "maxUses", "maxUsesPerUser"] as const;

type Complaint = [path: (string | number)[], message: string];

/** Only invalid numbers are checked here; the contract checks everything else. */
const validationMessages = (values: PromotionValues, body: PromotionBody): Complaint[] => [
  ...wholes.flatMap((field): Complaint[] =>
    typeof body[field] === "string" ? [[[field], "must be a whole number"]] : [],
  ),
  ...(typeof body.basisPoints === "string"
    ? [[["basisPoints"], "must be a percentage, such as 12.5"] satisfies Complaint]
    : []),
  ...(typeof values.priority === "string"
    ? [[["priority"], "must be a whole number"] satisfies Complaint]
    : []),
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
  const body = bodyOf({ ...values, name: values.name.trim() || "This promotion" });
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
