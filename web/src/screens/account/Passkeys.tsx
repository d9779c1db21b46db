import { ActionIcon, TextInput } from "@mantine/core";
import { listPasskeys, removePasskey, renamePasskey } from "@purser/contract/auth/passkeys";
import type { Wire } from "@purser/contract/http/endpoint";
import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { number } from "#lib/labels.ts";
import { createPasskey } from "#lib/session/passkeys.ts";
import { refreshSession } from "#lib/session/session.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences, Dialog } from "#ui/dialogs/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";
import { toast } from "#ui/popups/toast.ts";
import { PasswordAgain, proofIn } from "./PasswordAgain.tsx";

const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async () => (await call(listPasskeys)).items,
});

const readAgain = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

type Passkey = Wire<typeof listPasskeys>["reply"]["items"][number];

const RemoveDialog = ({
  passkey,
  left,
  onClose,
}: {
  passkey: Passkey;
  left: number;
  onClose: () => void;
}) => {
  const { id, name, lastUsedAt } = passkey;
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={`Remove the passkey ${name}?`}
      fact="The device keeps it, but it no longer signs you in here."
      sign={{ icon: "fingerprint", tone: "bad" }}
      button={`Remove ${name}`}
      act={async () => {
        await call(removePasskey, { params: { id } });
        toast(`The passkey ${name} no longer signs you in.`);
        void Promise.all([readAgain(), refreshSession()]);
      }}
    >
      <Consequences
        of={[
          { icon: "fingerprint", what: "Passkeys that you have left", amount: number(left) },
          {
            icon: "clock",
            what: "Last used",
            amount: lastUsedAt ? <Moment at={lastUsedAt} /> : "never",
          },
        ]}
      />
    </Confirm>
  );
};

const RenameDialog = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => (
  <Dialog opened onClose={onClose} size={420} title={`Rename the passkey ${passkey.name}`}>
    <SimpleForm
      button="Rename passkey"
      refused="name"
      onSubmit={async (read) => {
        await call(renamePasskey, { params: { id: passkey.id }, body: { name: read("name") } });
        await readAgain();
        onClose();
      }}
    >
      <TextInput
        label="Name of the passkey"
        name="name"
        autoComplete="off"
        defaultValue={passkey.name}
        required
        withAsterisk={false}
        maxLength={60}
        data-autofocus
      />
    </SimpleForm>
  </Dialog>
);

export const Passkeys = () => {
  const { data, error, refetch } = useQuery(passkeysQuery);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  if (error && !data)
    return <Failed what="Your passkeys" error={error} onRetry={() => refetch()} />;
  return (
    <Section title="Passkeys" note="sign in with your finger, face or security key">
      {data?.length === 0 && <p className="soft">You have no passkey yet.</p>}
      <ul className="passkeys" aria-label="Your passkeys">
        {data?.map((passkey) => {
          const { id, name, createdAt, lastUsedAt } = passkey;
          return (
            <li key={id}>
              <Icon name="fingerprint" />
              <div>
                {name}
                <small>
                  added <Moment at={createdAt} />
                  <span className="dot" />
                  {lastUsedAt ? (
                    <>
                      used <Moment at={lastUsedAt} />
                    </>
                  ) : (
                    "never used"
                  )}
                </small>
              </div>
              <ActionIcon aria-label={`Rename ${name}`} onClick={() => setRenaming(passkey)}>
                <Icon name="pencil" />
              </ActionIcon>
              <ActionIcon aria-label={`Remove ${name}`} onClick={() => setRemoving(passkey)}>
                <Icon name="trash" />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing && (
        <RemoveDialog
          passkey={removing}
          left={(data?.length ?? 1) - 1}
          onClose={() => setRemoving(null)}
        />
      )}
      {browserSupportsWebAuthn() && (
        <SimpleForm
          button="Add a passkey"
          look={{ variant: "default" }}
          refused="password"
          onSubmit={async (read) => {
            await createPasskey({ name: read("name"), proof: proofIn(read) });
            await Promise.all([readAgain(), refreshSession()]);
          }}
        >
          <TextInput
            label="Name of the passkey"
            name="name"
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={60}
          />
          <PasswordAgain />
        </SimpleForm>
      )}
    </Section>
  );
};
