import { Button, Textarea } from "@mantine/core";
import { addUserNote } from "@purser/contract/users/notes";
import { type SubmitEvent, useState } from "react";
import { call } from "#lib/api/call.ts";
import { count, number } from "#lib/labels.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences, Dialog } from "#ui/dialogs/Dialog.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { useSubmit } from "#ui/form/useSubmit.ts";
import { Refused } from "#ui/page/Callout.tsx";
import { toast } from "#ui/popups/toast.ts";
import { suspendAll } from "./actions.ts";
import { nameOf, type User, usersChanged } from "./queries.ts";

type Props = { users: User[]; onClose: () => void; onDone?: () => void };

export const SuspendDialog = ({ users, ...ways }: Props) => {
  const [only] = users;
  const what = users.length === 1 && only ? nameOf(only) : count(users.length, "user");
  const [reason, setReason] = useState("");
  const held = users.reduce((sum, { packages }) => sum + packages.length, 0);
  const renewing = users.filter(({ renewsAt }) => renewsAt !== null).length;
  return (
    <Confirm
      {...ways}
      title={`Suspend ${what}?`}
      fact="Nothing can be used until somebody restores the access, which can be done at any time."
      sign={{ icon: "lock", tone: "warn" }}
      button={`Suspend ${what}`}
      act={() => suspendAll(users, reason.trim())}
    >
      <Consequences
        of={[
          { icon: "package", what: "Packages that can no longer be used", amount: number(held) },
          {
            icon: "calendar-repeat",
            what: "People whose subscriptions go on renewing",
            amount: number(renewing),
          },
          { icon: "ban", what: "Subscriptions that end", amount: "0" },
        ]}
      />
      <Textarea
        label={
          <>
            Reason <span className="optional">optional</span>
          </>
        }
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
};

type NoteProps = { user: User; onClose: () => void };

/** Adds a note about a customer. */
export const NoteDialog = ({ user, onClose }: NoteProps) => {
  const { errors, refusal, busy, send } = useSubmit();
  // A retry after a lost reply reuses the key, so that no note is stored twice.
  const keyFor = useIdempotencyKey();
  const { id } = user;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { text: String(new FormData(form).get("text") ?? "") };
    void send(form, async () => {
      await call(addUserNote, { params: { id }, body, key: keyFor(body) });
      await usersChanged();
      toast("The note is added.");
      onClose();
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Write a note about ${nameOf(user)}`}
      fact="Everybody in the office can read it. It is never rewritten; you can strike it later."
      sign={{ icon: "pencil", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="user-note" aria-busy={busy}>
            Add note
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <form id="user-note" onSubmit={submit} noValidate>
        <Textarea
          label="Note"
          name="text"
          data-autofocus
          rows={5}
          maxLength={4000}
          error={errors["text"]}
        />
      </form>
    </Dialog>
  );
};
