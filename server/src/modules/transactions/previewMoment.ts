import { invalidAt } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

const previewMs = 15 * 60_000;

/** The moment of a preview, so that its amounts still apply. */
export const momentOf = (at: Date | undefined, now: Date) => {
  if (at === undefined) return now;
  if (at > now || +now - +at > previewMs)
    throw invalidAt("/at", message("preview_outdated", "This preview is outdated. Open it again."));
  return at;
};
