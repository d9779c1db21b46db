import { plural, t } from "@lingui/core/macro";
import { Textarea } from "@mantine/core";
import { eraseCustomer } from "@purser/contract/users/privacy";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences, Dialog } from "#ui/dialogs/Dialog.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { toast } from "#ui/popups/toast.ts";
import { type User, userSaved } from "../queries.ts";
import { erasureQuery } from "./queries.ts";

/** What the law requires to be kept. */
const KeptDocuments = ({ until }: { until: string }) => {
  const day = formatDate(useTimeZone(), new Date(until));
  return <p className="soft">{t`Documents keep the buyer's name and address until ${day}.`}</p>;
};

type Props = { user: User; onClose: () => void };

const sign = { icon: "trash", tone: "bad" } as const;

/** Erases a customer's personal data, after showing the consequences. */
export const EraseDialog = ({ user, onClose }: Props) => {
  const { id, name, version } = user;
  const { data: counted, error, refetch } = useQuery(erasureQuery(id));
  const [reason, setReason] = useState("");
  const title = t`Erase personal data of ${name}?`;
  const body = { reason: reason.trim() || t`Requested by the customer` };
  if (!counted || counted.refusal)
    return (
      <Dialog opened onClose={onClose} title={title} sign={sign} size={480}>
        {error && (
          <Failed
            title={t`Couldn't load the consequences`}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {counted?.refusal && (
          <Callout tone="warn" icon="alert-triangle" role="status">
            {messageText(counted.refusal)}
          </Callout>
        )}
      </Dialog>
    );
  return (
    <Confirm
      title={title}
      fact={t`Everywhere, including the audit log. Can't be undone.`}
      sign={sign}
      button={t`Erase personal data`}
      isHard
      typed={name}
      wanted={{ operation: "POST /users/:id/erase", params: { id }, body, version }}
      onClose={onClose}
      action={async () => {
        userSaved(await call(eraseCustomer, { params: { id }, version, body }));
        toast(t`Personal data of ${name} erased`);
      }}
    >
      <Consequences
        of={[
          {
            icon: "ban",
            what: t`Subscriptions canceled now`,
            amount: number(counted.subscriptions),
          },
          {
            icon: "lock",
            what: t`Grants revoked`,
            amount: number(counted.grants),
          },
          { icon: "pencil", what: t`Notes deleted`, amount: number(counted.notes) },
          {
            icon: "history",
            what: t`Audit log entries anonymized`,
            amount: number(counted.entries),
          },
          {
            icon: "receipt",
            what: t`Transactions kept anonymously`,
            amount: number(counted.transactions),
          },
          ...(counted.documents > 0
            ? [
                {
                  icon: "file-code" as const,
                  what: t`Invoices and credit notes kept`,
                  amount: number(counted.documents),
                },
              ]
            : []),
        ]}
      />
      {counted.documentsUntil && <KeptDocuments until={counted.documentsUntil} />}
      {counted.pending > 0 && (
        <p className="soft">
          {plural(counted.pending, {
            one: "# transaction is still pending and can be paid.",
            other: "# transactions are still pending and can be paid.",
          })}
        </p>
      )}
      <Textarea
        label={t`Reason`}
        description={t`Kept in the audit log. Don't include personal data.`}
        maxLength={500}
        placeholder={t`Requested by the customer`}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </Confirm>
  );
};
