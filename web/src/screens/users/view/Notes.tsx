import { ActionIcon, Button } from "@mantine/core";
import { strikeUserNote } from "@purser/contract/users/notes";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { call } from "#lib/api/call.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { type Note, notesQuery, type User, usersChanged } from "../queries.ts";

const NoteDialog = part(async () => (await import("../dialogs.tsx")).NoteDialog);

const strike = (id: string, noteId: string) =>
  attempt(async () => {
    await call(strikeUserNote, { params: { id, noteId }, body: {} });
    await usersChanged();
    toast("The note is struck. It stays to be read.");
  });

const OneNote = ({ note, onStrike }: { note: Note; onStrike: (() => void) | null }) => (
  <li {...(note.struckAt && { "data-struck": true })}>
    <Avatar name={note.author.name} />
    <div>
      <p className="note-line">
        <b>{note.author.name}</b>
        <span className="soft">
          <Moment at={note.createdAt} />
        </span>
        {note.struckAt && (
          <span className="soft">
            struck <Moment at={note.struckAt} />
          </span>
        )}
      </p>
      {note.struckAt ? <del>{note.text}</del> : <p className="note-text">{note.text}</p>}
    </div>
    {onStrike && (
      <ActionIcon aria-label="Strike this note" data-tip="Strike" onClick={onStrike}>
        <Icon name="eraser" />
      </ActionIcon>
    )}
  </li>
);

/** The team's notes about a customer. */
export const Notes = ({ user }: { user: User }) => {
  const { data, error, refetch } = useQuery(notesQuery(user.id));
  const mayWrite = useMay("users:write");
  const me = useMe();
  const [isWriting, setWriting] = useState(false);
  if (error && !data) return <Failed what="The notes" error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title="Notes"
      acts={
        mayWrite && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setWriting(true)}
          >
            Add note
          </Button>
        )
      }
    >
      {data?.length === 0 && <p className="soft">Nobody wrote anything down yet.</p>}
      <ul className="notes">
        {data?.map((note) => (
          <OneNote
            key={note.id}
            note={note}
            onStrike={
              mayWrite && note.author.id === me.id && !note.struckAt
                ? () => void strike(user.id, note.id)
                : null
            }
          />
        ))}
      </ul>
      <Suspense>
        {isWriting && <NoteDialog user={user} onClose={() => setWriting(false)} />}
      </Suspense>
    </Section>
  );
};
