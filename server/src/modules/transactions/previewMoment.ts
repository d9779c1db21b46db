import { invalidAt } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

const previewMs = 15 * 60_000;

export const isPreviewOutdated = (at: Date, now: Date) => +now - +at > previewMs;

/** The moment of a preview, so that its amounts still apply. */
export const momentOf = (at: Date | undefined, now: Date) => {
  if (at === undefined) return now;
  if (at > now || isPreviewOutdated(at, now))
    throw invalidAt("/at", message("preview_outdated", "This preview is outdated. Open it again."));
  return at;
};
