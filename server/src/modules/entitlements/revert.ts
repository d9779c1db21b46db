import { openUser } from "#modules/users/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";

export const grantRevertAdvice: RevertAdvice = {
  grants: {
    ...openUser,
    detail: message(
      "revert_grant",
      "Grants can't be reverted. Revoke access or grant it again on the customer's page.",
    ),
  },
};
