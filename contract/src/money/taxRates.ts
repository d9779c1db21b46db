import { z } from "zod";
import { atMostPercent, negative } from "../fields/commonRules.ts";
import { country } from "../fields/places.ts";
import { id, instant, record, tooEarly, version } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";

export const rateCategories = ["standard", "reduced"] as const;
export const taxCategories = [...rateCategories, "exempt"] as const;
export type TaxCategory = (typeof taxCategories)[number];

const day = z.iso
  .date(rule("day_invalid", "Enter a date."))
  .refine((value) => !value.startsWith("0000"), tooEarly);

const details = {
  country,
  /** A state or province; null for the whole country. */
  region: text({ min: 1, max: 60 }).nullable().default(null),
  name: text({ min: 1, max: 60 }),
  category: z.enum(rateCategories).default("standard"),
  basisPoints: z.int().min(0, negative).max(10_000, atMostPercent(100)),
  validFrom: day,
  /** The first day on which it no longer applies. */
  validUntil: day.nullable().default(null),
};

export type TaxRateDetails = z.output<z.ZodObject<typeof details>>;

const isInOrder = ({ validFrom, validUntil }: { validFrom: string; validUntil: string | null }) =>
  validUntil === null || validFrom < validUntil;
const wrongOrder = {
  path: ["validUntil"],
  error: rule("rate_end_before_start", "Choose a day after the first one."),
};

export const taxRate = z
  .object({
    id,
    country: plain,
    region: plain.nullable(),
    name: plain,
    category: z.enum(rateCategories),
    basisPoints: z.int(),
    validFrom: plain,
    validUntil: plain.nullable(),
    version,
    updatedAt: instant,
  })
  .meta({ id: "TaxRate" });
export type TaxRate = z.output<typeof taxRate>;

export const listTaxRates = endpoint({
  method: "GET",
  path: "/tax-rates",
  summary: "List the tax rates",
  permission: "settings:read",
  reply: z.object({ items: z.array(taxRate) }),
});

export const createTaxRate = endpoint({
  method: "POST",
  path: "/tax-rates",
  summary: "Create a tax rate",
  permission: "settings:write",
  proof: "recent",
  body: z.strictObject({ ...details, reason: reason.optional() }).refine(isInOrder, wrongOrder),
  reply: taxRate,
  status: 201,
  refusals: ["wrong_state"],
});

export const changeTaxRate = endpoint({
  method: "PUT",
  path: "/tax-rates/:id",
  summary: "Update a tax rate",
  permission: "settings:write",
  proof: "recent",
  params: record,
  body: z.strictObject({ ...details, reason: reason.optional() }).refine(isInOrder, wrongOrder),
  reply: taxRate,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deleteTaxRate = endpoint({
  method: "DELETE",
  path: "/tax-rates/:id",
  summary: "Delete a tax rate",
  permission: "settings:write",
  proof: "recent",
  params: record,
  versioned: true,
});
