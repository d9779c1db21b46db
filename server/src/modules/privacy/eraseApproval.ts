import type { User } from "@purser/contract/users/fields";
import type { ApprovalSubject } from "#platform/http/approvalGate.ts";

type Counted = { subscriptions: number; rights: number; transactions: number };

/** The approval request for erasing a customer. */
export const eraseApproval = (
  { id, name, number, email, version }: User,
  { subscriptions, rights, transactions }: Counted,
): ApprovalSubject => ({
  entity: "users",
  recordId: id,
  summary: `Erase ${name}`,
  facts: [
    { label: "Person", value: `${name}, ${email}, ${number}` },
    { label: "Subscriptions that end", value: String(subscriptions) },
    { label: "Rights that give nothing any more", value: String(rights) },
    { label: "Transactions that stay without a name", value: String(transactions) },
  ],
  basis: { id, version, subscriptions, transactions },
});
