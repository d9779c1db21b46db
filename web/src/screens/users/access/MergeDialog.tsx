import "./access.css";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { mergeUsers } from "@purser/contract/users/merge";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, type User } from "../queries.ts";
import { accessChanged, mergeQuery } from "./queries.ts";

type Props = { user: User; onClose: () => void };

const usePreview = (id: string) => {
  const [typed, setTyped] = useState("");
  const [other] = useDebouncedValue(typed.trim(), 250);
  const { data, error } = useQuery(mergeQuery(id, other));
  const isShown = other !== "" && other === typed.trim();
  return { typed, setTyped, error: isShown ? error : null, preview: isShown ? data : undefined };
};

const Preview = ({ of }: { of: NonNullable<ReturnType<typeof usePreview>["preview"]> }) => {
  const { goes, rights, subscriptions, notes, transactions, refusal } = of;
  if (refusal) return <Refused refusal={{ message: refusal }} />;
  return (
    <div role="status">
      <Consequences
        of={[
          { icon: "package", what: "Rights that come over", amount: String(rights.length) },
          {
            icon: "calendar-repeat",
            what: "Subscriptions that renew here",
            amount: String(subscriptions.length),
          },
          { icon: "pencil", what: "Notes that are copied", amount: String(notes) },
          {
            icon: "receipt",
            what: `Transactions that stay with ${goes.email}`,
            amount: String(transactions),
          },
          { icon: "lock", what: "Records that are closed", amount: "1" },
        ]}
      />
      {rights.length > 0 && (
        <p className="soft">Comes over: {rights.map(({ name }) => name).join(", ")}.</p>
      )}
    </div>
  );
};

/** Merges another record of the same customer into this one; it stays closed, with its payments. */
export const MergeDialog = ({ user, onClose }: Props) => {
  const { typed, setTyped, error, preview } = usePreview(user.id);
  const [isSubmitted, setSubmitted] = useState(false);
  return (
    <ActionDialog
      onClose={onClose}
      title={`Merge another record into ${nameOf(user)}`}
      fact="This record stays. What is meant for the other one from now on comes here. It cannot be undone."
      sign={{ icon: "users", tone: "warn" }}
      button="Merge records"
      isHard
      size={560}
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return preview !== undefined && preview.refusal === null;
      }}
      act={(read, keyFor) => {
        const body = { otherId: preview?.goes.id ?? "", reason: read("reason") };
        return call(mergeUsers, { params: { id: user.id }, body, key: keyFor(body) });
      }}
      told={({ goes, stays }) => `${goes.email} is part of ${stays.name || stays.email} now.`}
    >
      {(errors) => (
        <>
          <TextInput
            label="Other record"
            name="other"
            autoComplete="off"
            description="Its address, its id or the apps' id for it."
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={
              errors["otherId"] ??
              error?.message ??
              (isSubmitted && !preview ? "must be the address or id of somebody" : undefined)
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
