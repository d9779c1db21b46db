import { z } from "zod";
import { notPositive, required, tooManyEntries } from "../fields/commonRules.ts";
import { amount } from "../fields/money.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
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
  proof: "recent above limit",
  approval: "refund",
  params: record,
  body: z.strictObject({ outcome: z.enum(["disputed", "dispute won", "dispute lost"]), evidence }),
  reply: transactionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const refundScopes = ["full", "unused", "amount"] as const;

const refund = {
  /** Everything that is left, the unused time, or an amount. */
  of: z.enum(refundScopes).default("amount"),
  /** The amount in all, taken from the lines in their order. */
  amount: amount.min(1, notPositive).optional(),
  /** Or the amount of each line. */
  lines: z
    .array(z.strictObject({ lineId: id, amount }))
    .max(100, tooManyEntries(100))
    .default([]),
  to: z.enum(["payment method", "balance"]).default("payment method"),
  access: z.enum(accessChoices),
};

const isOneAmount = ({
  of,
  amount: all,
  lines,
}: {
  of: (typeof refundScopes)[number];
  amount?: number | undefined;
  lines: unknown[];
}) => {
  const ways = Number(all !== undefined) + Number(lines.length > 0);
  return ways === (of === "amount" ? 1 : 0);
};
const noAmount = {
  path: ["amount"],
  error: rule("refund_amount_missing", "Enter an amount, or the amounts of the lines."),
};

export const previewRefund = endpoint({
  method: "POST",
  path: "/transactions/:id/refund/preview",
  summary: "Preview a refund",
  permission: "transactions:read",
  params: record,
  body: z.strictObject(refund).refine(isOneAmount, noAmount),
  reply: z.object({
    /** The moment from which on time is unused. A refund within 15 minutes can name it, to keep these amounts. */
    at: instant,
    lines: z.array(
      z.object({
        lineId: id,
        name: plain,
        paid: amount,
        credited: amount,
        refundable: amount,
        /** The value of the unused paid time. */
        unused: amount,
        amount,
        net: amount,
        tax: amount,
      }),
    ),
    refundable: amount,
    unused: amount,
    total: amount,
    tax: amount,
    toMethod: amount,
    toBalance: amount,
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
  proof: "recent above limit",
  approval: "refund",
  params: record,
  body: z
    .strictObject({
      ...refund,
      /** The moment that the preview used; now by default. */
      at: instant.optional(),
      /** The total that the user saw. The refund is refused if it changed. */
      total: amount.optional(),
      reason: reason.min(1, required),
      note: text({ max: 2000, lines: true }).default(""),
      reference: text({ min: 1, max: 200 }).nullable().default(null),
    })
    .refine(isOneAmount, noAmount),
  reply: transactionReply,
  status: 201,
  refusals: ["wrong_state", "taken", "impact_changed"],
});
