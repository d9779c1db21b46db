import { formatMoney } from "@purser/contract/fields/amounts";
import type { Subscription as Shown } from "@purser/contract/subscriptions/endpoints";
import type { ApprovalSubject } from "#platform/http/approvalGate.ts";
import type { Subscription } from "../billing/subscriptionQueries.ts";

/** The approval request for money that leaves with a change, or that a discount gives away. */
export const moneyApproval = (
  { user, package: { name } }: Shown,
  { id, userId, currency, status }: Subscription,
  amount: number,
  { what, reason }: { what: "Refund" | "Discount"; reason: string },
): ApprovalSubject => ({
  entity: "subscriptions",
  recordId: id,
  money: { amount, earlier: 0, currency, customerId: userId },
  summary: `${what} ${formatMoney(amount, currency)} of ${name}`,
  facts: [
    { label: "Customer", value: user.name || user.email },
    { label: "Reason", value: reason },
  ],
  basis: { status },
});
