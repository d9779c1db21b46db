import type { Comment } from "@purser/contract/workspace/comments";
import type { Refusal } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

type Stored = Pick<Comment, "author" | "crossedOutAt">;

export const refusalToCrossOut = (
  { author, crossedOutAt }: Stored,
  actorId: string,
): Refusal | null => {
  if (author.id !== actorId)
    return {
      code: "forbidden",
      detail: message(
        "note_of_another_author",
        "Only {author} can cross out this note. Add your own note instead.",
        { author: author.name },
      ),
    };
  return crossedOutAt
    ? {
        code: "wrong_state",
        detail: message("note_already_crossed_out", "This note is already crossed out."),
      }
    : null;
};
