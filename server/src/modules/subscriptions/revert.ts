import { openUser } from "#modules/users/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";

export const subscriptionRevertAdvice: RevertAdvice = {
  subscriptions: {
    ...openUser,
    detail: message(
      "revert_subscription",
      "Changes to subscriptions can't be reverted. Change or cancel the subscription instead.",
    ),
  },
};
