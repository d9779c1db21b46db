import { z } from "zod";
import { amount } from "../fields/money.ts";
import { id, instant, nothing, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { message } from "../messages/schema.ts";
import { brief } from "../transactions/fields.ts";
import { documentKinds } from "./content.ts";

const document = z
  .object({
    id,
    kind: z.enum(documentKinds),
    number: plain,
    transaction: brief,
    /** The number of the invoice that a credit note corrects. */
    corrects: plain.nullable(),
    currency: plain,
    total: amount,
    issuedAt: instant,
    /** When it was last emailed to the customer. */
    sentAt: instant.nullable(),
    /** The end of the retention period, when the buyer was removed. */
    buyerRemovedAt: instant.nullable(),
  })
  .meta({ id: "Document" });
export type IssuedDocument = z.output<typeof document>;

export const listCustomerDocuments = endpoint({
  method: "GET",
  path: "/users/:id/documents",
  summary: "List a customer's invoices and credit notes",
  permission: "transactions:read",
  params: record,
  reply: z.object({
    /** The latest 100. */
    items: z.array(document),
  }),
});

const documentsOf = z.object({
  items: z.array(document),
  /** Whether one is about to be issued. */
  isWaiting: z.boolean(),
  /** Why none can be issued, or null. */
  problem: message.nullable(),
});

export const listTransactionDocuments = endpoint({
  method: "GET",
  path: "/transactions/:id/documents",
  summary: "List a transaction's invoice and credit notes",
  permission: "transactions:read",
  params: record,
  reply: documentsOf,
});

export const issueDocuments = endpoint({
  method: "POST",
  path: "/transactions/:id/documents",
  summary: "Issue the documents of a transaction that has none",
  permission: "transactions:write",
  params: record,
  body: nothing,
  reply: documentsOf,
  refusals: ["wrong_state"],
});

export const getDocumentFile = endpoint({
  method: "GET",
  path: "/documents/:id",
  summary: "Download an invoice or credit note",
  permission: "transactions:read",
  params: record,
  query: z.strictObject({ format: z.enum(["pdf"]).default("pdf") }),
  reply: plain,
  file: true,
});

export const sendDocument = endpoint({
  method: "POST",
  path: "/documents/:id/send",
  summary: "Email an invoice or credit note to the customer",
  permission: "transactions:write",
  params: record,
  body: nothing,
  reply: document,
  status: 202,
  refusals: ["wrong_state"],
});
