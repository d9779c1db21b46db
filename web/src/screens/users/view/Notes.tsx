import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ActionIcon, Button } from "@mantine/core";
import { crossOutUserNote } from "@purser/contract/users/notes";
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

const crossOut = (id: string, noteId: string) =>
  attempt(async () => {
    await call(crossOutUserNote, { params: { id, noteId }, body: {} });
    await usersChanged();
    toast(t`Note crossed out`);
  });

const OneNote = ({ note, onCrossOut }: { note: Note; onCrossOut: (() => void) | null }) => (
  <li {...(note.crossedOutAt && { "data-struck": true })}>
    <Avatar name={note.author.name} />
    <div>
      <p className="note-line">
        <b>{note.author.name}</b>
        <span className="soft">
          <Moment at={note.createdAt} />
        </span>
        {note.crossedOutAt && (
          <span className="soft">
            <Trans>
              Crossed out <Moment at={note.crossedOutAt} />
            </Trans>
          </span>
        )}
      </p>
      {note.crossedOutAt ? <del>{note.text}</del> : <p className="note-text">{note.text}</p>}
    </div>
    {onCrossOut && (
      <ActionIcon aria-label={t`Cross out this note`} data-tip={t`Cross out`} onClick={onCrossOut}>
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
  if (error && !data)
    return <Failed title={t`Couldn't load notes`} error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title={t`Notes`}
      actions={
        mayWrite && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setWriting(true)}
          >
            {t`Add note`}
          </Button>
        )
      }
    >
      {data?.length === 0 && <p className="soft">{t`No notes yet.`}</p>}
      <ul className="notes">
        {data?.map((note) => (
          <OneNote
            key={note.id}
            note={note}
            onCrossOut={
              mayWrite && note.author.id === me.id && !note.crossedOutAt
                ? () => void crossOut(user.id, note.id)
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
