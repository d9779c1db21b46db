import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";

export const approvalRevertAdvice: RevertAdvice = {
  approvals: { detail: "It tells what happened, and stays." },
};
