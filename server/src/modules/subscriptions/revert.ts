import { openUser } from "#modules/users/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";

export const subscriptionRevertAdvice: RevertAdvice = {
  subscriptions: {
    ...openUser,
    detail: "What somebody holds is changed by moving or ending the subscription.",
  },
};
