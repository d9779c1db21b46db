import { Textarea } from "@mantine/core";
import { erasePerson } from "@purser/contract/users/privacy";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences, Dialog } from "#ui/dialogs/Dialog.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { toast } from "#ui/popups/toast.ts";
import { type User, userSaved } from "../queries.ts";
import { erasureQuery } from "./queries.ts";

type Props = { user: User; onClose: () => void };

const sign = { icon: "trash", tone: "bad" } as const;

/** Erases a customer's personal data, after showing the consequences. */
export const EraseDialog = ({ user, onClose }: Props) => {
  const { id, name, version } = user;
  const { data: counted, error, refetch } = useQuery(erasureQuery(id));
  const [reason, setReason] = useState("");
  const title = `Erase ${name}?`;
  const body = { reason: reason.trim() || "Asked for by the person" };
  if (!counted || counted.refusal)
    return (
      <Dialog opened onClose={onClose} title={title} sign={sign} size={480}>
        {error && <Failed what="What it does" error={error} onRetry={() => refetch()} />}
        {counted?.refusal && (
          <Callout tone="warn" icon="alert-triangle" role="status">
            {counted.refusal}
          </Callout>
        )}
      </Dialog>
    );
  return (
    <Confirm
      title={title}
      fact="Name, addresses and notes are gone from everything we keep, also from the audit log. This cannot be undone."
      sign={sign}
      button={`Erase ${name}`}
      isHard
      typed={name}
      wanted={{ operation: "POST /users/:id/erase", params: { id }, body, version }}
      onClose={onClose}
      act={async () => {
        userSaved(await call(erasePerson, { params: { id }, version, body }));
        toast(`${name} is erased. Their transactions stay, without a name.`);
      }}
    >
      <Consequences
        of={[
          {
            icon: "ban",
            what: "Subscriptions that end now",
            amount: number(counted.subscriptions),
          },
          {
            icon: "lock",
            what: "Rights that give nothing any more",
            amount: number(counted.rights),
          },
          { icon: "pencil", what: "Notes that are deleted", amount: number(counted.notes) },
          {
            icon: "history",
            what: "Entries of the audit log without a name",
            amount: number(counted.entries),
          },
          {
            icon: "receipt",
            what: "Transactions that stay, without a name",
            amount: number(counted.transactions),
          },
        ]}
      />
      {counted.pending > 0 && (
        <p className="soft">
          {counted.pending} of the transactions {counted.pending === 1 ? "is" : "are"} not decided
          yet and can still be paid.
        </p>
      )}
      <Textarea
        label="Reason"
        description="It stays in the audit log. Do not write a name into it."
        maxLength={500}
        placeholder="Asked for by the person"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
};
