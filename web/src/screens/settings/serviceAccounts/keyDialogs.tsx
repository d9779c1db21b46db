import { t } from "@lingui/core/macro";
import "#ui/styles/choiceSheets.ts";
import { Select, TextInput } from "@mantine/core";
import {
  createServiceKey,
  revokeServiceKey,
  rotateServiceKey,
} from "@purser/contract/users/serviceAccounts";
import { useRef, useState } from "react";
import { call } from "#lib/api/call.ts";
import { ActionDialog } from "#ui/dialogs/ActionDialog.tsx";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { SecretDialog } from "#ui/dialogs/SecretDialog.tsx";
import { Moment } from "#ui/Moment.tsx";
import { toast } from "#ui/popups/toast.ts";
import type { ServiceAccount, ServiceKey } from "../queries.ts";
import { serviceAccountsChanged } from "./serviceAccountsChanged.ts";

const lifetimes = [
  { value: "30", label: t`30 days` },
  { value: "90", label: t`90 days` },
  { value: "365", label: t`1 year` },
];

const overlaps = [
  { value: "0", label: t`Immediately` },
  { value: "1", label: t`In 1 hour` },
  { value: "24", label: t`In 1 day` },
  { value: "168", label: t`In 7 days` },
];

const Lifetime = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Select
    label={t`Expiration`}
    data={lifetimes}
    value={value}
    onChange={(next) => next && onChange(next)}
  />
);

const KeySecret = (props: { secret: string; onClose: () => void }) => (
  <SecretDialog
    {...props}
    title={t`Save your key`}
    copyLabel={t`Copy key`}
    fact={t`Copy this key now. You won't be able to see it again.`}
  />
);

/** The secret of a new key, which stays open after the dialog that created it. */
const useSecret = (onClose: () => void) => {
  const [secret, setSecret] = useState<string | null>(null);
  const isMade = useRef(false);
  return {
    secret,
    show: (made: string) => {
      isMade.current = true;
      setSecret(made);
    },
    closeForm: () => {
      if (!isMade.current) onClose();
    },
  };
};

type Props = { account: ServiceAccount; onClose: () => void };

export const CreateKeyDialog = ({ account: { id, name }, onClose }: Props) => {
  const [days, setDays] = useState("365");
  const { secret, show, closeForm } = useSecret(onClose);
  if (secret) return <KeySecret secret={secret} onClose={onClose} />;
  return (
    <ActionDialog
      onClose={closeForm}
      title={t`New key for ${name}`}
      fact={t`Send it as a bearer token. Keep it on your server.`}
      sign={{ icon: "key", tone: "info" }}
      button={t`Create key`}
      action={async (read, keyFor) => {
        const body = { name: read("name"), days: Number(days) };
        const made = await call(createServiceKey, { params: { id }, body, key: keyFor(body) });
        show(made.secret);
      }}
      changed={serviceAccountsChanged}
      told={() => t`Key created`}
    >
      {(errors) => (
        <>
          <TextInput
            label={t`Name`}
            name="name"
            autoComplete="off"
            description={t`Where the key is used, such as web-server-1.`}
            error={errors["name"]}
            data-autofocus
          />
          <Lifetime value={days} onChange={setDays} />
        </>
      )}
    </ActionDialog>
  );
};

type KeyProps = Props & { serviceKey: ServiceKey };

export const RotateKeyDialog = ({ account, serviceKey, onClose }: KeyProps) => {
  const { id: keyId, name } = serviceKey;
  const [hours, setHours] = useState("24");
  const [days, setDays] = useState("365");
  const { secret, show, closeForm } = useSecret(onClose);
  if (secret) return <KeySecret secret={secret} onClose={onClose} />;
  return (
    <ActionDialog
      onClose={closeForm}
      title={t`Rotate the key ${name}?`}
      fact={t`You get a new key now. Both work until the current key expires.`}
      sign={{ icon: "refresh", tone: "info" }}
      button={t`Rotate key`}
      action={async (_, keyFor) => {
        const params = { id: account.id, keyId };
        const body = { overlapHours: Number(hours), days: Number(days) };
        const made = await call(rotateServiceKey, { params, body, key: keyFor(body) });
        show(made.secret);
      }}
      changed={serviceAccountsChanged}
      told={() => t`Key ${name} rotated`}
    >
      {() => (
        <>
          <Select
            label={t`Current key expires`}
            data={overlaps}
            value={hours}
            onChange={(next) => next && setHours(next)}
            data-autofocus
          />
          <Lifetime value={days} onChange={setDays} />
        </>
      )}
    </ActionDialog>
  );
};

export const RevokeKeyDialog = ({ account, serviceKey, onClose }: KeyProps) => {
  const { id: keyId, name, lastUsedAt } = serviceKey;
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={t`Revoke the key ${name}?`}
      fact={t`This can't be undone. Requests with this key are rejected immediately.`}
      sign={{ icon: "ban", tone: "bad" }}
      button={t`Revoke key`}
      action={async () => {
        await call(revokeServiceKey, { params: { id: account.id, keyId }, body: {} });
        // The button that opened the dialog is gone by then, so focus can't return to it.
        await serviceAccountsChanged();
        toast(t`Key ${name} revoked`);
      }}
    >
      <Consequences
        of={[
          {
            icon: "clock",
            what: t`Last used`,
            amount: lastUsedAt ? <Moment at={lastUsedAt} /> : t`Never`,
          },
        ]}
      />
    </Confirm>
  );
};
