import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";

export const importRevertAdvice: RevertAdvice = {
  imports: {
    detail: message(
      "revert_import",
      "Imports can't be reverted here. Undo the import on its page.",
    ),
    label: message("open_import", "Open import"),
    pathOf: (id) => `/import/${id}`,
  },
};
