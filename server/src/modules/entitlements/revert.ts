import { openUser } from "#modules/users/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";

export const grantRevertAdvice: RevertAdvice = {
  grants: {
    ...openUser,
    detail: "A right is ended by ending what it came from; a new one is given by hand.",
  },
};
