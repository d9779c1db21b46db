import { t } from "@lingui/core/macro";
import { type CommentedEntity, commentEndpoints } from "@purser/contract/workspace/comments";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMay } from "#lib/session/session.ts";
import { type CommentSource, Comments } from "./Comments.tsx";

const sourceOf = (entity: CommentedEntity, id: string): CommentSource => {
  const { list, add, crossOut } = commentEndpoints[entity];
  // The name of the table, so that comments of others appear at once.
  const queryKey = ["user_notes", entity, id];
  return {
    title: t`Comments`,
    empty: t`No comments yet.`,
    failed: t`Couldn't load comments`,
    addLabel: t`Add comment`,
    added: t`Comment added`,
    crossOutLabel: t`Cross out this comment`,
    crossedOut: t`Comment crossed out`,
    queryKey,
    read: async () => (await call(list, { params: { id } })).items,
    add: (body, key) => call(add, { params: { id }, body, key }),
    crossOut: (commentId) => call(crossOut, { params: { id, commentId }, body: {} }),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
  };
};

/** The team's comments on a record. */
export const RecordComments = ({ entity, id }: { entity: CommentedEntity; id: string }) => (
  <Comments source={sourceOf(entity, id)} mayWrite={useMay("comments:write")} />
);
