import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";

export const snapshotRevertAdvice: RevertAdvice = {
  signing_keys: {
    detail: message(
      "revert_signing_key",
      "Signing keys can't be restored. Run purser signing-keys rotate to create a new one.",
    ),
  },
};
