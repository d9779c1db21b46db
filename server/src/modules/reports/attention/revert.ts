import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";

export const attentionRevertAdvice: RevertAdvice = {
  attention_marks: {
    detail: message("revert_attention", "Assign or snooze it again on Home."),
    label: message("open_home", "Open Home"),
    pathOf: () => "/",
  },
};
