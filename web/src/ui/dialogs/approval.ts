import type { Wire } from "@purser/contract/http/endpoint";
import type { requestApproval } from "@purser/contract/workspace/approvals";
import { CallError } from "#lib/api/call.ts";

/** The refused call as it was sent. */
export type Wanted = Omit<Wire<typeof requestApproval>["body"], "reason">;

export const needsApproval = (error: unknown): error is CallError =>
  error instanceof CallError && error.is("approval_required");
