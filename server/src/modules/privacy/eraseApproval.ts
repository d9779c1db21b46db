import type { User } from "@purser/contract/users/fields";
import type { ApprovalSubject } from "#platform/http/approvalGate.ts";

type Counted = { subscriptions: number; grants: number; transactions: number };

/** The approval request for erasing a customer. */
export const eraseApproval = (
  { id, name, number, email, version }: User,
  { subscriptions, grants, transactions }: Counted,
): ApprovalSubject => ({
  entity: "users",
  recordId: id,
  summary: `Erase ${name}`,
  facts: [
    { label: "Customer", value: `${name}, ${email}, ${number}` },
    { label: "Subscriptions that end", value: String(subscriptions) },
    { label: "Grants that are revoked", value: String(grants) },
    { label: "Transactions kept without personal data", value: String(transactions) },
  ],
  basis: { id, version, subscriptions, transactions },
});
