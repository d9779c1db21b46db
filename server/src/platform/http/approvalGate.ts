import type { Access } from "@purser/contract/auth/permissions";
import type { Money } from "@purser/contract/fields/money";
import type { ApprovalKind } from "@purser/contract/workspace/approvals";
import type { Db } from "../db/db.ts";

/** What an approver sees, and the basis of the request. If the basis changes, it must be requested again. */
export type ApprovalSubject = {
  entity: string;
  recordId: string | null;
  summary: string;
  facts: { label: string; value: string }[];
  basis: Record<string, unknown>;
  /** Compared with the limits of its currency. Without it the rule always applies. */
  money?: MoneyOut;
  /** Requires approval even if the rule is off. */
  always?: true;
};

/** Money or credit that a customer gets. */
export type MoneyOut = Money & {
  customerId: string;
  /** What was already returned of the same sale. */
  earlier: number;
};

/** Who acts, and the permission that the action requires. */
export type Requester = { userId: string | null; permission: Access; now: Date };

/** Refuses an action that requires approval. */
export type ApprovalGate = (rule: ApprovalKind, subject: ApprovalSubject) => Promise<void>;

export type OpenApprovalGate = (db: Db, requester: Requester) => ApprovalGate;
