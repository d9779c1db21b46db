import { t } from "@lingui/core/macro";
import { addUserNote, crossOutUserNote } from "@purser/contract/users/notes";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMay } from "#lib/session/session.ts";
import { type CommentSource, Comments } from "#ui/comments/Comments.tsx";
import { notesQuery, readNotes, type User, usersChanged } from "../queries.ts";

const sourceOf = (id: string): CommentSource => ({
  title: t`Notes`,
  empty: t`No notes yet.`,
  failed: t`Couldn't load notes`,
  addLabel: t`Add note`,
  added: t`Note added`,
  crossOutLabel: t`Cross out this note`,
  crossedOut: t`Note crossed out`,
  queryKey: notesQuery(id).queryKey,
  read: () => readNotes(id),
  add: (body, key) => call(addUserNote, { params: { id }, body, key }),
  crossOut: (noteId) => call(crossOutUserNote, { params: { id, noteId }, body: {} }),
  refresh: () =>
    Promise.all([
      usersChanged(),
      queryClient.invalidateQueries({ queryKey: notesQuery(id).queryKey }),
    ]),
});

/** The team's notes about a customer. */
export const Notes = ({ user }: { user: User }) => (
  <Comments source={sourceOf(user.id)} mayWrite={useMay("users:write")} />
);
