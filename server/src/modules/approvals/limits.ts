import type { Message } from "@purser/contract/messages/message";
import type { MoneyOut } from "#platform/http/approvalGate.ts";
import { message } from "#platform/messages.ts";
import { limitsIn, type RefundLimits } from "../settings/rules.ts";

/** What the team member returned in 24 hours without an approver, and what the customer got back in 30 days. */
export type Sums = { byMember: number; byCustomer: number };

/** Why money may not go out without approval, or null. Sums count, because many small refunds are a large one. */
export const reasonOfMoney = (
  money: MoneyOut,
  limits: RefundLimits,
  sums: Sums,
): Message | null => {
  const { amount, earlier, currency } = money;
  const own = limitsIn(currency, limits);
  if (!own)
    return message(
      "approval_required_refund_currency",
      "Refunds in {currency} require approval, because it has no limit. Send a request to another team member.",
      { currency },
    );
  const { perSale, perDay, perCustomer } = own;
  if (earlier + amount > perSale)
    return message(
      "approval_required_refund_above",
      "Refunds above {limit} per sale require approval. Send a request to another team member.",
      { limit: { amount: perSale, currency } },
    );
  if (sums.byMember + amount > perDay)
    return message(
      "approval_required_refund_day",
      "More than {limit} per team member in 24 hours requires approval. Send a request to another team member.",
      { limit: { amount: perDay, currency } },
    );
  if (sums.byCustomer + amount > perCustomer)
    return message(
      "approval_required_refund_customer",
      "More than {limit} per customer in 30 days requires approval. Send a request to another team member.",
      { limit: { amount: perCustomer, currency } },
    );
  return null;
};
