import { z } from "zod";
import { notPositive, required } from "../fields/commonRules.ts";
import { amount } from "../fields/money.ts";
import { instant, record } from "../fields/primitives.ts";
import { reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { accessChoices, transactionReply } from "./fields.ts";

const evidence = text({ min: 1, max: 1000 });

export const resolveTransaction = endpoint({
  method: "POST",
  path: "/transactions/:id/resolve",
  summary: "Resolve a pending or unknown payment",
  permission: "transactions:write",
  params: record,
  body: z.strictObject({
    outcome: z.enum(["succeeded", "failed", "canceled"]),
    evidence,
    /** Now by default. */
    at: instant.optional(),
  }),
  reply: transactionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const voidTransaction = endpoint({
  method: "POST",
  path: "/transactions/:id/void",
  summary: "Void a draft transaction",
  permission: "transactions:write",
  params: record,
  body: z.strictObject({ reason: reason.min(1, required) }),
  reply: transactionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const submitTransaction = endpoint({
  method: "POST",
  path: "/transactions/:id/submit",
  summary: "Record a draft transaction as paid or pending",
  permission: "transactions:write",
  params: record,
  body: z.strictObject({
    state: z.enum(["pending", "succeeded"]),
    reference: text({ min: 1, max: 200 }).nullable().default(null),
    reason: reason.optional(),
  }),
  reply: transactionReply,
  versioned: true,
  refusals: ["wrong_state", "taken"],
});

export const disputeTransaction = endpoint({
  method: "POST",
  path: "/transactions/:id/dispute",
  summary: "Record a dispute or its result",
  permission: "transactions:write",
  approval: "refund",
  params: record,
  body: z.strictObject({ outcome: z.enum(["disputed", "dispute won", "dispute lost"]), evidence }),
  reply: transactionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

const refund = {
  amount: amount.min(1, notPositive),
  access: z.enum(accessChoices),
};

export const previewRefund = endpoint({
  method: "POST",
  path: "/transactions/:id/refund/preview",
  summary: "Preview a refund",
  permission: "transactions:read",
  params: record,
  body: z.strictObject(refund),
  reply: z.object({
    refundable: amount,
    /** The value of the unused paid time. */
    unused: amount,
    tax: amount,
    /** When access ends; null if it is unchanged or has no end. */
    accessUntil: instant.nullable(),
    /** Features that the customer loses then. */
    features: z.int(),
    /** Redemptions that are restored. */
    returns: z.int(),
  }),
  keyed: false,
  refusals: ["wrong_state"],
});

export const refundTransaction = endpoint({
  method: "POST",
  path: "/transactions/:id/refund",
  summary: "Refund a transaction",
  permission: "transactions:write",
  approval: "refund",
  params: record,
  body: z.strictObject({
    ...refund,
    reason: reason.min(1, required),
    note: text({ max: 2000, lines: true }).default(""),
    reference: text({ min: 1, max: 200 }).nullable().default(null),
  }),
  reply: transactionReply,
  status: 201,
  refusals: ["wrong_state", "taken"],
});
