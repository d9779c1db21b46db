import "./access.css";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { moveRights } from "@purser/contract/users/merge";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { Day } from "#ui/Moment.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, type User } from "../queries.ts";
import { accessChanged, grantsQuery, type HeldGrant, moveQuery } from "./queries.ts";

type Props = { user: User; onClose: () => void };

const isAddress = (typed: string) => /^\S+@\S+\.\S+$/.test(typed);

export const GrantName = ({ grant: { name, endsAt } }: { grant: HeldGrant }) => (
  <span>
    {name}
    <small>
      {endsAt ? (
        <>
          until <Day at={endsAt} />
        </>
      ) : (
        "without end"
      )}
    </small>
  </span>
);

type PreviewProps = { user: User; email: string; ids: string[] };

/** A preview of the transfer. */
const Preview = ({ user, email, ids }: PreviewProps) => {
  const { data, error } = useQuery(moveQuery(user.id, email, ids));
  if (error) return <Refused refusal={error} />;
  if (!data || email === "" || ids.length === 0) return null;
  if (data.refusal) return <Refused refusal={{ message: data.refusal }} />;
  return (
    <div role="status">
      <Consequences
        of={[
          {
            icon: "arrow-right",
            what: data.to
              ? `Rights that go to ${data.to.name}`
              : `Rights that go to ${email}, who is new`,
            amount: String(data.items.length),
          },
          { icon: "receipt", what: "Payments that move", amount: "0" },
        ]}
      />
      {data.consequences.map((sentence) => (
        <p key={sentence} className="soft">
          {sentence}
        </p>
      ))}
    </div>
  );
};

/** Transfers selected grants to another customer. */
export const MoveDialog = ({ user, onClose }: Props) => {
  const { data: rights, error } = useQuery(grantsQuery(user.id));
  const [ids, setIds] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const [email] = useDebouncedValue(typed.trim().toLowerCase(), 250);
  const [isSubmitted, setSubmitted] = useState(false);
  const address = isAddress(email) ? email : "";
  return (
    <ActionDialog
      onClose={onClose}
      title={`Move rights of ${nameOf(user)}`}
      fact="They end here and go on for the other person, as they were promised."
      sign={{ icon: "arrow-right", tone: "warn" }}
      button={ids.length > 0 ? `Move ${count(ids.length, "right")}` : "Move rights"}
      size={560}
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return ids.length > 0 && isAddress(typed.trim());
      }}
      act={(read, keyFor) => {
        const body = { email: typed.trim(), grantIds: ids, reason: read("reason") };
        return call(moveRights, { params: { id: user.id }, body, key: keyFor(body) });
      }}
      told={({ to }) => `${count(ids.length, "right")} went to ${to.name || to.email}.`}
    >
      {(errors) => (
        <>
          <Refused refusal={error} />
          <fieldset className="chosen-rights">
            <legend className="field-label">Rights</legend>
            {rights?.length === 0 && <p className="soft">They have no right that could move.</p>}
            {rights?.map((right) => (
              <label key={right.id}>
                <input
                  type="checkbox"
                  checked={ids.includes(right.id)}
                  onChange={({ currentTarget }) =>
                    setIds((before) =>
                      currentTarget.checked
                        ? [...before, right.id]
                        : before.filter((id) => id !== right.id),
                    )
                  }
                />
                <GrantName grant={right} />
              </label>
            ))}
            {isSubmitted && ids.length === 0 && (
              <p className="mantine-InputWrapper-error">Choose at least one right.</p>
            )}
          </fieldset>
          <TextInput
            label="To"
            name="email"
            type="email"
            autoComplete="off"
            description="The address of the other person. Somebody who is not known yet becomes a customer."
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={
              errors["email"] ??
              (isSubmitted && !isAddress(typed.trim())
                ? "must be an address such as name@example.com"
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
