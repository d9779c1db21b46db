import { t } from "@lingui/core/macro";
import { email } from "@purser/contract/fields/text";
import type { Wire } from "@purser/contract/http/endpoint";
import { provider } from "@purser/contract/transactions/fields";
import type { createTransaction } from "@purser/contract/transactions/sales";
import { z } from "zod";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import type { Period } from "#lib/money/prices.ts";
import { runtime } from "#lib/page/runtime.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { parseLocalDateTime } from "#lib/time/localTime.ts";
import type { SaleBody, SaleQuote } from "../queries.ts";

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
  /** Only of a price per unit. */
  quantity: number | string;
  /** Sold together with the package. */
  addOns: { packageId: string; quantity: number | string }[];
  codes: string[];
  /** Confirms the price without the codes that don't apply. */
  acceptRejectedCodes: boolean;
  isTaxManual: boolean;
  manualTax: EditedAmount;
  taxReason: string;
  useBalance: boolean;
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
  quantity: 1,
  addOns: [],
  codes: [],
  acceptRejectedCodes: false,
  isTaxManual: false,
  manualTax: 0,
  taxReason: "",
  useBalance: true,
  occurredAt,
  state: "succeeded",
  provider: "manual",
  reference: "",
  note: "",
  tags: [],
  isNoDuplicate: false,
});

const isQuantity = (quantity: SaleValues["quantity"]): quantity is number =>
  typeof quantity === "number" && quantity >= 1;

/** The price doesn't depend on the reason, so it is shown before there is one. */
const anyReason = "–";

/** The tax that replaces the calculated one. Undefined while it isn't an amount. */
const taxOf = ({ isTaxManual, manualTax }: SaleValues) => {
  if (!isTaxManual) return { manualTax: null, taxReason: null };
  return typeof manualTax === "number" ? { manualTax, taxReason: anyReason } : undefined;
};

/** Null while a quantity isn't a number. */
const addOnsOf = (addOns: SaleValues["addOns"]) => {
  const valid = addOns.flatMap(({ packageId, quantity }) =>
    isQuantity(quantity) ? [{ packageId, quantity }] : [],
  );
  return valid.length === addOns.length ? valid : null;
};

/** The price request, once everything it needs is known. */
export const saleOf = (values: SaleValues): SaleBody | null => {
  const { packageId, currency, interval, intervalCount, quantity, codes, useBalance } = values;
  const address = email.safeParse(values.email);
  const at = parseLocalDateTime(companyZone, values.occurredAt);
  const tax = taxOf(values);
  const addOns = addOnsOf(values.addOns);
  if (!address.success || !packageId || !interval || !at) return null;
  if (!isQuantity(quantity) || !addOns || !tax) return null;
  return {
    email: address.data,
    packageId,
    currency,
    interval,
    intervalCount,
    quantity,
    addOns,
    codes,
    ...tax,
    useBalance,
    occurredAt: at.toISOString(),
  };
};

type Shown = Pick<SaleQuote, "quote" | "payment">;

/** The request body, with the total and the amount due that were shown. */
export const bodyOf = (values: SaleValues, sale: SaleBody, { quote, payment }: Shown): Body => ({
  ...sale,
  taxReason: values.isTaxManual ? values.taxReason.trim() : null,
  state: values.state,
  provider: values.provider,
  reference: values.reference.trim() || null,
  total: quote.total,
  due: payment.due,
  acceptRejectedCodes: values.acceptRejectedCodes,
  note: values.note,
  tags: values.tags,
  isNoDuplicate: values.isNoDuplicate,
});

const refusalOfTime = (clock: string) => {
  const at = parseLocalDateTime(companyZone, clock);
  if (!at) return t`Enter a date and time.`;
  return at > currentTime() ? t`Enter a time that isn't in the future.` : null;
};

const refusalOfReference = ({ state, provider: by, reference }: SaleValues) =>
  state === "draft" || by !== "manual" || reference.trim() !== ""
    ? null
    : t`Enter a reference, such as the bank's.`;

const refusalOfTax = ({ isTaxManual, manualTax, taxReason, currency }: SaleValues) => ({
  manualTax: isTaxManual && currency ? amountError(manualTax, currency) : null,
  taxReason: isTaxManual && taxReason.trim() === "" ? t`Enter a reason for this tax.` : null,
});

const messageOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message ?? null;

/** Checks the form before it is sent. */
export const saleForm = z.custom<SaleValues>().superRefine((values, context) => {
  const found: Partial<Record<keyof SaleValues, string | null>> = {
    email: messageOf(email, values.email),
    packageId: values.packageId ? null : t`Choose a package.`,
    interval: values.packageId && !values.interval ? t`Choose an interval.` : null,
    quantity: isQuantity(values.quantity) ? null : t`Enter 1 or more.`,
    addOns: addOnsOf(values.addOns) ? null : t`Enter the quantity of each add-on.`,
    ...refusalOfTax(values),
    occurredAt: refusalOfTime(values.occurredAt),
    provider: messageOf(provider, values.provider),
    reference: refusalOfReference(values),
  };
  for (const [field, message] of Object.entries(found))
    if (message) context.addIssue({ code: "custom", path: [field], message });
});
