import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { addUserNote } from "@purser/contract/users/notes";
import { type SubmitEvent, useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
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
  const name = users.length === 1 && only ? nameOf(only) : null;
  const [reason, setReason] = useState("");
  const held = users.reduce((sum, { packages }) => sum + packages.length, 0);
  const renewing = users.filter(({ renewsAt }) => renewsAt !== null).length;
  return (
    <Confirm
      {...ways}
      title={
        name === null
          ? plural(users.length, { one: "Suspend # user?", other: "Suspend # users?" })
          : t`Suspend ${name}?`
      }
      fact={t`They can't use anything until you reactivate them.`}
      sign={{ icon: "lock", tone: "warn" }}
      button={
        name === null
          ? plural(users.length, { one: "Suspend # user", other: "Suspend # users" })
          : t`Suspend`
      }
      action={() => suspendAll(users, reason.trim())}
    >
      <Consequences
        of={[
          { icon: "package", what: t`Packages that can't be used`, amount: number(held) },
          {
            icon: "calendar-repeat",
            what: t`Customers whose subscriptions keep renewing`,
            amount: number(renewing),
          },
          { icon: "ban", what: t`Subscriptions canceled`, amount: "0" },
        ]}
      />
      <Textarea
        label={
          <Trans>
            Reason <span className="optional">optional</span>
          </Trans>
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
  const name = nameOf(user);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { text: String(new FormData(form).get("text") ?? "") };
    void send(form, async () => {
      await call(addUserNote, { params: { id }, body, key: keyFor(body) });
      await usersChanged();
      toast(t`Note added`);
      onClose();
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Add a note about ${name}`}
      fact={t`Visible to your team. Notes can't be edited, only crossed out.`}
      sign={{ icon: "pencil", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" form="user-note" aria-busy={busy}>
            {t`Add note`}
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <form id="user-note" onSubmit={submit} noValidate>
        <Textarea
          label={t`Note`}
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
