import { z } from "zod";
import { amountMax } from "../fields/amounts.ts";
import { bic, iban } from "../fields/bank.ts";
import { amount, currency } from "../fields/money.ts";
import { country } from "../fields/places.ts";
import { postalAddress } from "../fields/postalAddress.ts";
import { instant } from "../fields/primitives.ts";
import { email, text, timeZone, token } from "../fields/text.ts";
import { rule } from "../messages/rules.ts";
import { languages } from "../workspace/preferences.ts";

// What an invoice or credit note says. It is stored when the document is issued and never changes. docs/documents.md
// lists where the business terms of EN 16931 are.

export const documentKinds = ["invoice", "credit note"] as const;

/**
 * Codes of EN 16931: S standard or reduced rate, Z zero rate, E exempt, AE reverse charge, O not subject to tax.
 * The others of the standard are for goods and for regions with their own rules.
 */
export const taxCategories = ["S", "Z", "E", "AE", "O"] as const;

export const paymentMethods = [
  "balance",
  "card",
  "bank transfer",
  "direct debit",
  "cash",
  "other",
] as const;

/** A field that can be unknown or not apply. */
const optional = (max: number) => text({ min: 1, max }).nullable();

const signedAmount = z.int().min(-amountMax).max(amountMax);
const basisPoints = z.int().min(0).max(10_000);

const address = postalAddress.extend({ region: optional(60) });

const logoInvalid = rule("logo_invalid", "Use a PNG file, or an SVG file with paths only.");

/** Printed about 9 mm high. It is part of every document, so keep it small. */
const logo = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("png"),
    /** Base64. */
    data: token(/^iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$/, logoInvalid).max(300_000),
  }),
  z.strictObject({
    type: z.literal("svg"),
    /** Of the view box, which starts at 0 0. */
    width: z.number().positive(),
    height: z.number().positive(),
    paths: z
      .array(
        z.strictObject({
          d: token(/^[Mm][MmLlHhVvCcSsQqTtAaZzEe0-9\s,.+-]*$/, logoInvalid).max(20_000),
          fill: token(/^#[0-9a-f]{6}$/i, logoInvalid),
        }),
      )
      .min(1)
      .max(50),
  }),
]);
export type Logo = z.output<typeof logo>;

export const sellerDetails = address.extend({
  /** As registered. */
  name: text({ min: 1, max: 150 }),
  /** Shown next to the logo, if it differs from the registered name. */
  tradingName: optional(80),
  country,
  vatNumber: optional(30),
  registrationNumber: optional(50),
  email: email.nullable(),
  website: optional(100),
  /** Where to transfer what is due. */
  bank: z
    .strictObject({
      name: optional(100),
      iban,
      bic: bic.nullable(),
    })
    .nullable(),
});
export type Seller = z.output<typeof sellerDetails>;

const seller = sellerDetails.extend({ logo: logo.nullable() });

const buyer = address.extend({
  /** The customer's number in Purser. */
  number: optional(50),
  name: text({ min: 1, max: 150 }),
  company: optional(150),
  /** Null if the customer never gave one. EN 16931 requires it. */
  country: country.nullable(),
  vatNumber: optional(30),
  email: email.nullable(),
});
export type Address = z.output<typeof address> & { country: string | null };

const period = z
  .strictObject({ start: instant, end: instant })
  .refine(
    ({ start, end }) => end > start,
    rule("period_backwards", "The end must be after the start."),
  );

const tax = {
  /** Of the rate, such as "Standard". */
  taxName: text({ min: 1, max: 100 }),
  taxRate: basisPoints,
  taxCategory: z.enum(taxCategories),
};

const line = z.strictObject({
  description: text({ min: 1, max: 300 }),
  /** What the period doesn't say, such as "One-time purchase". */
  detail: optional(300),
  /** Negative if the line takes something back. */
  quantity: z.int().min(-1_000_000).max(1_000_000),
  /** Includes tax if prices do. Null if the amount isn't a multiple of it, such as for a part of a period. */
  unitAmount: amount.nullable(),
  period: period.nullable(),
  /** Taken off quantity × unit amount, and already off net and gross. */
  discount: amount,
  /** Such as the name of the promotion. */
  discountName: optional(100),
  net: signedAmount,
  ...tax,
  tax: signedAmount,
  gross: signedAmount,
});
export type DocumentLine = z.output<typeof line>;

/** The sum of the lines with the same category and rate. */
const taxSummary = z.strictObject({
  ...tax,
  /** Whose tax it is. */
  country: country.nullable(),
  net: signedAmount,
  tax: signedAmount,
  /** Replaces the usual sentence for E, AE and O. */
  exemptionReason: optional(300),
});
export type TaxSummary = z.output<typeof taxSummary>;

const payment = z.strictObject({
  method: z.enum(paymentMethods),
  /** As the customer knows it, such as "Visa ··1881". */
  name: optional(60),
  at: instant,
  amount,
});
export type Payment = z.output<typeof payment>;

/**
 * Amounts are in the currency's minor unit. Those of a credit note are positive, as in EN 16931, and printed with a
 * minus sign.
 */
export const documentContent = z.strictObject({
  kind: z.enum(documentKinds),
  number: text({ min: 1, max: 40 }),
  issuedAt: instant,
  suppliedAt: instant.nullable(),
  language: z.enum(languages),
  /** Of the company. Dates of the document are dates there. */
  timeZone,
  currency,
  /** Our reference, such as the transaction. */
  reference: optional(60),
  /** The reference that the buyer asked us to print. */
  buyerReference: optional(100),
  seller,
  /** Null after the retention period. */
  buyer: buyer.nullable(),
  /** The invoice that a credit note corrects. */
  corrects: z.strictObject({ number: text({ min: 1, max: 40 }), issuedAt: instant }).nullable(),
  /** Of a credit note. */
  reason: optional(500),
  /** Whether unit amounts and discounts include tax. */
  taxIncluded: z.boolean(),
  lines: z.array(line).min(1).max(1000),
  taxes: z.array(taxSummary).min(1).max(20),
  totals: z.strictObject({
    /** Before discounts. Includes tax if prices do, like the discount. */
    subtotal: amount,
    discount: amount,
    net: amount,
    tax: amount,
    gross: amount,
  }),
  /** The total tax in the currency of the seller's tax return, if that is another one. */
  accountingTax: z.strictObject({ currency, amount }).nullable(),
  /** Of an invoice what was paid, of a credit note what was refunded. */
  payments: z.array(payment).max(50),
  /** What is left to pay or to refund. */
  due: amount,
  dueDate: z.iso.date().nullable(),
  notes: z.array(text({ min: 1, max: 1000, lines: true })).max(20),
});
export type DocumentContent = z.output<typeof documentContent>;
