import "./access.css";
import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { transferGrants } from "@purser/contract/users/merge";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { messageText } from "#lib/serverMessages.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { Day } from "#ui/Moment.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, type User } from "../queries.ts";
import { grantLabel } from "./labels.ts";
import { accessChanged, grantsQuery, type HeldGrant, transferQuery } from "./queries.ts";

type Props = { user: User; onClose: () => void };

const isAddress = (typed: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(typed);

export const GrantName = ({ grant }: { grant: HeldGrant }) => (
  <span>
    {grantLabel(grant)}
    <small>
      {grant.endsAt ? (
        <Trans>
          until <Day at={grant.endsAt} />
        </Trans>
      ) : (
        t`No end date`
      )}
    </small>
  </span>
);

type PreviewProps = { user: User; email: string; ids: string[] };

/** A preview of the transfer. */
const Preview = ({ user, email, ids }: PreviewProps) => {
  const { data, error } = useQuery(transferQuery(user.id, email, ids));
  if (error) return <Refused refusal={error} />;
  if (!data || email === "" || ids.length === 0) return null;
  const name = data.to?.name ?? "";
  if (data.refusal) return <Refused refusal={{ message: messageText(data.refusal) }} />;
  return (
    <div role="status">
      <Consequences
        of={[
          {
            icon: "arrow-right",
            what: data.to
              ? t`Grants transferred to ${name}`
              : t`Grants transferred to a new customer, ${email}`,
            amount: String(data.items.length),
          },
          { icon: "receipt", what: t`Payments transferred`, amount: "0" },
        ]}
      />
      {data.consequences.map((consequence) => (
        <p key={consequence.text} className="soft">
          {messageText(consequence)}
        </p>
      ))}
    </div>
  );
};

/** Transfers selected grants to another customer. */
export const TransferDialog = ({ user, onClose }: Props) => {
  const { data: grants, error } = useQuery(grantsQuery(user.id));
  const [ids, setIds] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const [email] = useDebouncedValue(typed.trim().toLowerCase(), 250);
  const [isSubmitted, setSubmitted] = useState(false);
  const address = isAddress(email) ? email : "";
  const name = nameOf(user);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Transfer access of ${name}`}
      fact={t`Access ends here and continues for the other customer.`}
      sign={{ icon: "arrow-right", tone: "warn" }}
      button={plural(ids.length, {
        0: "Transfer access",
        one: "Transfer # grant",
        other: "Transfer # grants",
      })}
      size={560}
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return ids.length > 0 && isAddress(typed.trim());
      }}
      action={(read, keyFor) => {
        const body = { email: typed.trim(), grantIds: ids, reason: read("reason") };
        return call(transferGrants, { params: { id: user.id }, body, key: keyFor(body) });
      }}
      told={({ to }) => {
        const other = to.name || to.email;
        return t`Access transferred to ${other}`;
      }}
    >
      {(errors) => (
        <>
          <Refused refusal={error} />
          <fieldset className="chosen-grants">
            <legend className="field-label">{t`Access`}</legend>
            {grants?.length === 0 && <p className="soft">{t`Nothing to transfer.`}</p>}
            {grants?.map((grant) => (
              <label key={grant.id}>
                <input
                  type="checkbox"
                  checked={ids.includes(grant.id)}
                  onChange={({ currentTarget }) =>
                    setIds((before) =>
                      currentTarget.checked
                        ? [...before, grant.id]
                        : before.filter((id) => id !== grant.id),
                    )
                  }
                />
                <GrantName grant={grant} />
              </label>
            ))}
            {isSubmitted && ids.length === 0 && (
              <p className="mantine-InputWrapper-error">{t`Choose at least one.`}</p>
            )}
          </fieldset>
          <TextInput
            label={t`Transfer to`}
            name="email"
            type="email"
            autoComplete="off"
            description={t`Email of the other customer. A new address creates a customer.`}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={
              errors["email"] ??
              (isSubmitted && !isAddress(typed.trim())
                ? t`Enter an email address, such as name@example.com.`
                : undefined)
            }
          />
          <Preview user={user} email={address} ids={ids} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};
