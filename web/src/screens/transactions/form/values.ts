import { t } from "@lingui/core/macro";
import { email } from "@purser/contract/fields/text";
import type { Wire } from "@purser/contract/http/endpoint";
import { provider } from "@purser/contract/transactions/fields";
import type { createTransaction } from "@purser/contract/transactions/sales";
import { z } from "zod";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import type { Period } from "#lib/money/prices.ts";
import { runtime } from "#lib/page/runtime.ts";
import { parseLocalDateTime } from "#lib/time/dates.ts";
import type { SaleBody } from "../queries.ts";

/** Times in the form are local times in the company's time zone. */
export const companyZone = runtime.companyTimeZone;

type Body = Wire<typeof createTransaction>["body"];

export type SaleValues = {
  email: string;
  packageId: string;
  currency: string;
  /** Empty until a package is chosen. */
  interval: Period["interval"] | "";
  intervalCount: number;
  codes: string[];
  tax: EditedAmount;
  occurredAt: string;
  state: Body["state"];
  provider: string;
  reference: string;
  note: string;
  tags: string[];
  isNoDuplicate: boolean;
};

export const emptySale = (occurredAt: string): SaleValues => ({
  email: "",
  packageId: "",
  currency: "",
  interval: "",
  intervalCount: 1,
  codes: [],
  tax: 0,
  occurredAt,
  state: "succeeded",
  provider: "manual",
  reference: "",
  note: "",
  tags: [],
  isNoDuplicate: false,
});

/** The price request, once everything it needs is known. */
export const saleOf = (values: SaleValues): SaleBody | null => {
  const { packageId, currency, interval, intervalCount, codes, tax, occurredAt } = values;
  const address = email.safeParse(values.email);
  const at = parseLocalDateTime(companyZone, occurredAt);
  if (!address.success || !packageId || !interval || typeof tax !== "number" || !at) return null;
  return {
    email: address.data,
    packageId,
    currency,
    interval,
    intervalCount,
    codes,
    tax,
    occurredAt: at.toISOString(),
  };
};

/** The request body, with the total that was shown. */
export const bodyOf = (values: SaleValues, sale: SaleBody, total: number): Body => ({
  ...sale,
  state: values.state,
  provider: values.provider,
  reference: values.reference.trim() || null,
  total,
  note: values.note,
  tags: values.tags,
  isNoDuplicate: values.isNoDuplicate,
});

const refusalOfTime = (clock: string) => {
  const at = parseLocalDateTime(companyZone, clock);
  if (!at) return t`Enter a date and time.`;
  return at > new Date() ? t`Enter a time that isn't in the future.` : null;
};

const refusalOfReference = ({ state, provider: by, reference }: SaleValues) =>
  state === "draft" || by !== "manual" || reference.trim() !== ""
    ? null
    : t`Enter a reference, such as the bank's.`;

const messageOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message ?? null;

/** Checks the form before it is sent. */
export const saleForm = z.custom<SaleValues>().superRefine((values, context) => {
  const found: Partial<Record<keyof SaleValues, string | null>> = {
    email: messageOf(email, values.email),
    packageId: values.packageId ? null : t`Choose a package.`,
    interval: values.packageId && !values.interval ? t`Choose an interval.` : null,
    tax: values.currency ? amountError(values.tax, values.currency) : null,
    occurredAt: refusalOfTime(values.occurredAt),
    provider: messageOf(provider, values.provider),
    reference: refusalOfReference(values),
  };
  for (const [field, message] of Object.entries(found))
    if (message) context.addIssue({ code: "custom", path: [field], message });
});
