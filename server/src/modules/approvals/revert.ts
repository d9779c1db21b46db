import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";

export const approvalRevertAdvice: RevertAdvice = {
  approvals: {
    detail: message("revert_approval", "Approval requests can't be reverted."),
  },
};
