import { z } from "zod";
import { required } from "../fields/commonRules.ts";
import { id, instant, nothing, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { message } from "../messages/schema.ts";
import { userSummary } from "../packages/publishing.ts";
import { user } from "./fields.ts";

const personalExport = z
  .object({
    id,
    requestedBy: userSummary,
    requestedAt: instant,
    /** Null until the file is ready. */
    readyAt: instant.nullable(),
    /** When the file is deleted. */
    expiresAt: instant.nullable(),
    bytes: z.int().nullable(),
  })
  .meta({ id: "PersonalExport" });

export const listPersonalExports = endpoint({
  method: "GET",
  path: "/users/:id/exports",
  summary: "List a customer's data exports",
  permission: "users:privacy",
  params: record,
  reply: z.object({ items: z.array(personalExport) }),
});

export const requestPersonalExport = endpoint({
  method: "POST",
  path: "/users/:id/exports",
  summary: "Request an export of a customer's data",
  permission: "users:privacy",
  proof: "recent",
  params: record,
  body: nothing,
  reply: personalExport,
  status: 202,
  refusals: ["wrong_state"],
});

export const getPersonalExport = endpoint({
  method: "GET",
  path: "/users/:id/exports/:exportId",
  summary: "Download an export of a customer's data",
  permission: "users:privacy",
  proof: "recent",
  params: z.strictObject({ id, exportId: id }),
  query: z.strictObject({ format: z.enum(["zip"]).default("zip") }),
  reply: plain,
  file: true,
});

export const previewErasure = endpoint({
  method: "GET",
  path: "/users/:id/erasure",
  summary: "Preview the erasure of a customer",
  permission: "users:privacy",
  params: record,
  reply: z.object({
    /** Why it is refused now, and what to do first. */
    refusal: message.nullable(),
    /** End immediately. */
    subscriptions: z.int(),
    /** Are revoked. */
    grants: z.int(),
    /** Are kept without personal data. */
    transactions: z.int(),
    /** Payments without a final result, which are kept too. */
    pending: z.int(),
    notes: z.int(),
    /** Audit entries, which are kept without personal data. */
    entries: z.int(),
    exports: z.int(),
    /** Invoices and credit notes, which keep the buyer's data until the retention period is over. */
    documents: z.int(),
    /** When the last of them loses it. */
    documentsUntil: instant.nullable(),
  }),
});

export const eraseCustomer = endpoint({
  method: "POST",
  path: "/users/:id/erase",
  summary: "Erase a customer's personal data",
  permission: "users:privacy",
  proof: "recent",
  params: record,
  body: z.strictObject({ reason: reason.min(1, required) }),
  reply: user,
  versioned: true,
  approval: "erase",
  refusals: ["wrong_state"],
});
