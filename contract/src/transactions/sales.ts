import { z } from "zod";
import { buyer, namesOneBuyer, oneBuyer } from "../entitlements/customerTokens.ts";
import { atLeast, atMost, tooManyEntries } from "../fields/commonRules.ts";
import { writeShape } from "../fields/declarations.ts";
import { amount } from "../fields/money.ts";
import { id, instant } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { message } from "../messages/schema.ts";
import { userSummary } from "../packages/publishing.ts";
import { offer, quote } from "../promotions/pricing.ts";
import { chargedLine, takenCredit } from "./endpoints.ts";
import { brief, transactionFields, transactionReply } from "./fields.ts";

const sale = {
  /** An unknown address creates a customer. An unknown user is refused. */
  ...buyer,
  ...offer,
  codes: z
    .array(text({ min: 1, max: 60 }))
    .max(10, tooManyEntries(10))
    .default([]),
  quantity: z.int().min(1, atLeast(1)).max(1_000_000, atMost(1_000_000)).default(1),
  /** Add-ons that are sold together with the package, in the same currency and billing period. */
  addOns: z
    .array(
      z.strictObject({
        packageId: id,
        quantity: z.int().min(1, atLeast(1)).max(1_000_000, atMost(1_000_000)).default(1),
      }),
    )
    .max(20, tooManyEntries(20))
    .default([]),
  /** A tax that replaces the calculated one, and why. */
  manualTax: amount.nullable().default(null),
  taxReason: text({ max: 500 }).nullable().default(null),
  /** Whether the customer's balance pays first. */
  useBalance: z.boolean().default(true),
  occurredAt: instant,
};

const hasTaxReason = ({
  manualTax,
  taxReason,
}: {
  manualTax: number | null;
  taxReason: string | null;
}) => manualTax === null || Boolean(taxReason);
const noTaxReason = {
  path: ["taxReason"],
  error: rule("tax_reason_required", "Enter a reason for this tax."),
};

/** How a charge is paid: with credits, then with the balance, and the rest in cash. */
export const payment = z.object({
  fromCredits: amount,
  fromBalance: amount,
  due: amount,
  /** The credit that is left for later charges. */
  toBalance: amount,
});
export type Payment = z.output<typeof payment>;

/** A promotion that was redeemed before, and what a change does to it. */
export const continuation = z.object({ name: plain, continues: z.boolean(), message });

/** What recording the sale would do now. */
const effect = z.object({
  /** A new subscription, its next period, a change of package or quantity, or a grant without end. */
  makes: z.enum(["subscription", "period", "change", "quantity", "grant"]),
  version: z.int(),
  apps: z.int(),
  features: z.int(),
  from: instant,
  until: instant.nullable(),
  /** Grants that end because of the sale. */
  replaces: z.array(z.object({ grantId: id, name: plain, until: instant.nullable() })),
});
export type SaleEffect = z.output<typeof effect>;

export const quoteSale = endpoint({
  method: "POST",
  path: "/transactions/quote",
  summary: "Preview a sale",
  permission: "transactions:read",
  body: z.strictObject(sale).refine(namesOneBuyer, oneBuyer).refine(hasTaxReason, noTaxReason),
  reply: z.object({
    quote,
    lines: z.array(chargedLine),
    /** The unused value of the package that this one replaces. */
    credits: z.array(takenCredit),
    payment,
    /** Promotions of the package that this one replaces, and whether they continue. */
    promotions: z.array(continuation),
    /** Entered codes that don't apply. They block the sale until they are removed or accepted. */
    rejectedCodes: z.array(z.object({ code: plain, message })),
    effect,
    customer: userSummary.nullable(),
    /** Sales of the same customer, package and amount within 24 hours. */
    duplicates: z.array(brief.extend({ occurredAt: instant })),
  }),
  keyed: false,
  refusals: ["not_found", "wrong_state", "too_many_requests"],
});

export const createTransaction = endpoint({
  method: "POST",
  path: "/transactions",
  summary: "Record a manual sale",
  permission: "transactions:write",
  approval: "grant",
  body: z
    .strictObject({
      ...sale,
      /** Only a succeeded sale gives access. */
      state: z.enum(["draft", "pending", "succeeded"]),
      ...writeShape(transactionFields),
      /** The total and the amount due that the user saw. The sale is refused if they changed. */
      total: amount,
      due: amount.optional(),
      /** Confirms the price without the entered codes that don't apply. */
      acceptRejectedCodes: z.boolean().default(false),
      /** Confirms that this is not a duplicate of a sale within 24 hours. */
      isNoDuplicate: z.boolean().default(false),
      reason: reason.optional(),
    })
    .refine(namesOneBuyer, oneBuyer)
    .refine(hasTaxReason, noTaxReason)
    .refine(
      ({ state, provider: by, reference }) =>
        state === "draft" || by !== "manual" || reference !== null,
      {
        path: ["reference"],
        error: rule("reference_required", "Enter a reference, such as the bank's."),
      },
    ),
  reply: transactionReply,
  status: 201,
  refusals: [
    "not_found",
    "wrong_state",
    "taken",
    "impact_changed",
    "duplicate",
    "too_many_requests",
  ],
});
