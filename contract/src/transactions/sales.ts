import { z } from "zod";
import { tooManyEntries } from "../fields/commonRules.ts";
import { writeShape } from "../fields/declarations.ts";
import { amount } from "../fields/money.ts";
import { id, instant } from "../fields/primitives.ts";
import { email, plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { userSummary } from "../packages/publishing.ts";
import { offer, quote } from "../promotions/pricing.ts";
import { brief, transactionFields, transactionReply } from "./fields.ts";

const sale = {
  /** An unknown address creates a customer. */
  email,
  ...offer,
  codes: z
    .array(text({ min: 1, max: 60 }))
    .max(10, tooManyEntries(10))
    .default([]),
  /** The tax as an amount; Purser doesn't calculate it. */
  tax: amount.default(0),
  occurredAt: instant,
};

/** What recording the sale would do now. */
const effect = z.object({
  /** A new subscription, its next period, a change of package, or a grant without end. */
  makes: z.enum(["subscription", "period", "change", "grant"]),
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
  body: z.strictObject(sale),
  reply: z.object({
    quote,
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
  body: z
    .strictObject({
      ...sale,
      /** Only a succeeded sale gives access. */
      state: z.enum(["draft", "pending", "succeeded"]),
      ...writeShape(transactionFields),
      /** The total that the user saw. The sale is refused if it changed. */
      total: amount,
      /** Confirms that this is not a duplicate of a sale within 24 hours. */
      isNoDuplicate: z.boolean().default(false),
      reason: reason.optional(),
    })
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
