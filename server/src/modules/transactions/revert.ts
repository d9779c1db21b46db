import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";

export const transactionRevertAdvice: RevertAdvice = {
  transactions: {
    detail: "A settled sale is corrected by a refund, one that is not settled by voiding it.",
    label: "Open the transaction",
    pathOf: (id) => `/transaction/view/${id}`,
  },
};
