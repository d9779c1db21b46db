import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";

export const transactionRevertAdvice: RevertAdvice = {
  transactions: {
    detail: message(
      "revert_transaction",
      "Transactions can't be reverted. Refund a paid transaction, or void a draft.",
    ),
    label: message("open_transaction", "Open transaction"),
    pathOf: (id) => `/transaction/view/${id}`,
  },
};
