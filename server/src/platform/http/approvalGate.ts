import type { Access } from "@purser/contract/auth/permissions";
import type { Money } from "@purser/contract/fields/money";
import type { ApprovalRule } from "@purser/contract/workspace/settings";
import type { Db } from "../db/db.ts";

/** What an approver sees, and the basis of the request. If the basis changes, it must be requested again. */
export type ApprovalSubject = {
  entity: string;
  recordId: string | null;
  summary: string;
  facts: { label: string; value: string }[];
  basis: Record<string, unknown>;
  /** Compared with the limit of its currency. Without it the rule always applies. */
  money?: Money;
};

/** Who acts, and the permission that the action requires. */
export type Requester = { userId: string | null; permission: Access };

/** Refuses an action that requires approval. */
export type ApprovalGate = (rule: ApprovalRule, subject: ApprovalSubject) => Promise<void>;

export type OpenApprovalGate = (db: Db, requester: Requester) => ApprovalGate;
