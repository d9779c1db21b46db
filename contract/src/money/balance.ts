import { z } from "zod";
import { required } from "../fields/commonRules.ts";
import { amount, currency } from "../fields/money.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { brief } from "../transactions/fields.ts";

export const balanceKinds = [
  "credit",
  "payment",
  "payment returned",
  "refund",
  "overpaid",
  "chargeback",
  "added",
  "removed",
  "transfer",
] as const;
export type BalanceKind = (typeof balanceKinds)[number];

/** Negative amounts take from the balance. */
const change = z.int().min(-999_999_999_999_999).max(999_999_999_999_999);

const entry = z
  .object({
    id,
    currency: plain,
    amount: change,
    kind: z.enum(balanceKinds),
    transaction: brief.nullable(),
    reason: plain.nullable(),
    by: plain.nullable(),
    createdAt: instant,
  })
  .meta({ id: "BalanceEntry" });
export type BalanceEntry = z.output<typeof entry>;

const balance = z
  .object({
    items: z.array(z.object({ currency: plain, amount })),
    /** The latest 100. */
    entries: z.array(entry),
  })
  .meta({ id: "Balance" });

export const getBalance = endpoint({
  method: "GET",
  path: "/users/:id/balance",
  summary: "Retrieve a customer's balance",
  permission: "transactions:read",
  params: record,
  reply: balance,
});

export const changeBalance = endpoint({
  method: "POST",
  path: "/users/:id/balance",
  summary: "Add to or remove from a customer's balance",
  permission: "transactions:write",
  proof: "recent above limit",
  approval: "refund",
  params: record,
  body: z.strictObject({
    currency,
    amount: change.refine((given) => given !== 0, {
      error: rule("balance_amount_zero", "Enter an amount other than 0."),
    }),
    reason: reason.min(1, required),
  }),
  reply: balance,
  refusals: ["wrong_state", "not_found"],
});
