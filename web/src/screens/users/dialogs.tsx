import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { number } from "#lib/intl.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { suspendAll } from "./actions.ts";
import { nameOf, type User } from "./queries.ts";

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
