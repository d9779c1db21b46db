import "./access.css";
import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { mergeUsers } from "@purser/contract/users/merge";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { series } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, type User } from "../queries.ts";
import { grantLabel } from "./labels.ts";
import { accessChanged, mergeQuery } from "./queries.ts";

type Props = { user: User; onClose: () => void };

const usePreview = (id: string) => {
  const [typed, setTyped] = useState("");
  const [other] = useDebouncedValue(typed.trim(), 250);
  const { data, error } = useQuery(mergeQuery(id, other));
  const isShown = other !== "" && other === typed.trim();
  return { typed, setTyped, error: isShown ? error : null, preview: isShown ? data : undefined };
};

const transferredText = (names: string[]) => {
  const grants = series(names);
  return t`Transferred: ${grants}`;
};

const Preview = ({ of }: { of: NonNullable<ReturnType<typeof usePreview>["preview"]> }) => {
  const { goes, grants, subscriptions, notes, transactions, refusal } = of;
  const { email } = goes;
  if (refusal) return <Refused refusal={{ message: messageText(refusal) }} />;
  return (
    <div role="status">
      <Consequences
        of={[
          { icon: "package", what: t`Grants transferred`, amount: String(grants.length) },
          {
            icon: "calendar-repeat",
            what: t`Subscriptions transferred`,
            amount: String(subscriptions.length),
          },
          { icon: "pencil", what: t`Notes copied`, amount: String(notes) },
          {
            icon: "receipt",
            what: t`Transactions kept by ${email}`,
            amount: String(transactions),
          },
          { icon: "lock", what: t`Customer record closed`, amount: email },
        ]}
      />
      {grants.length > 0 && <p className="soft">{transferredText(grants.map(grantLabel))}</p>}
    </div>
  );
};

/** Merges another record of the same customer into this one; it stays closed, with its payments. */
export const MergeDialog = ({ user, onClose }: Props) => {
  const { typed, setTyped, error, preview } = usePreview(user.id);
  const [isSubmitted, setSubmitted] = useState(false);
  const name = nameOf(user);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Merge another customer into ${name}`}
      fact={t`Future events for the other customer will apply to this one. This can't be undone.`}
      sign={{ icon: "users", tone: "warn" }}
      button={t`Merge customers`}
      isHard
      size={560}
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return preview !== undefined && preview.refusal === null;
      }}
      action={(read, keyFor) => {
        const body = { otherId: preview?.goes.id ?? "", reason: read("reason") };
        return call(mergeUsers, { params: { id: user.id }, body, key: keyFor(body) });
      }}
      told={({ goes: { email } }) => t`${email} merged into ${name}`}
    >
      {(errors) => (
        <>
          <TextInput
            label={t`Other customer`}
            name="other"
            autoComplete="off"
            description={t`Email, ID or external ID`}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={
              errors["otherId"] ??
              error?.message ??
              (isSubmitted && !preview ? t`Enter the email or ID of a customer.` : undefined)
            }
            data-autofocus
          />
          {preview && <Preview of={preview} />}
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};
