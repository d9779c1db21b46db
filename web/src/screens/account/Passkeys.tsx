import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ActionIcon, TextInput } from "@mantine/core";
import { listPasskeys, removePasskey, renamePasskey } from "@purser/contract/auth/passkeys";
import type { Wire } from "@purser/contract/http/endpoint";
import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { number } from "#lib/intl.ts";
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
      title={t`Remove the passkey ${name}?`}
      fact={t`You can't sign in with it anymore. It isn't deleted from your device.`}
      sign={{ icon: "fingerprint", tone: "bad" }}
      button={t`Remove passkey`}
      action={async () => {
        await call(removePasskey, { params: { id } });
        toast(t`Passkey ${name} removed`);
        void Promise.all([readAgain(), refreshSession()]);
      }}
    >
      <Consequences
        of={[
          { icon: "fingerprint", what: t`Passkeys left`, amount: number(left) },
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

const RenameDialog = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const { id, name } = passkey;
  return (
    <Dialog opened onClose={onClose} size={420} title={t`Rename the passkey ${name}`}>
      <SimpleForm
        button={t`Rename passkey`}
        refused="name"
        onSubmit={async (read) => {
          await call(renamePasskey, { params: { id }, body: { name: read("name") } });
          await readAgain();
          onClose();
        }}
      >
        <TextInput
          label={t`Passkey name`}
          name="name"
          autoComplete="off"
          defaultValue={name}
          required
          withAsterisk={false}
          maxLength={60}
          data-autofocus
        />
      </SimpleForm>
    </Dialog>
  );
};

export const Passkeys = () => {
  const { data, error, refetch } = useQuery(passkeysQuery);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  if (error && !data)
    return <Failed title={t`Couldn't load passkeys`} error={error} onRetry={() => refetch()} />;
  return (
    <Section title={t`Passkeys`} note={t`Sign in with your fingerprint, face or security key`}>
      {data?.length === 0 && <p className="soft">{t`No passkeys yet.`}</p>}
      <ul className="passkeys" aria-label={t`Your passkeys`}>
        {data?.map((passkey) => {
          const { id, name, createdAt, lastUsedAt } = passkey;
          return (
            <li key={id}>
              <Icon name="fingerprint" />
              <div>
                {name}
                <small>
                  <Trans>
                    Added <Moment at={createdAt} />
                  </Trans>
                  <span className="dot" />
                  {lastUsedAt ? (
                    <Trans>
                      Used <Moment at={lastUsedAt} />
                    </Trans>
                  ) : (
                    t`Never used`
                  )}
                </small>
              </div>
              <ActionIcon aria-label={t`Rename ${name}`} onClick={() => setRenaming(passkey)}>
                <Icon name="pencil" />
              </ActionIcon>
              <ActionIcon aria-label={t`Remove ${name}`} onClick={() => setRemoving(passkey)}>
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
          button={t`Add passkey`}
          look={{ variant: "default" }}
          onSubmit={async (read) => {
            await createPasskey(read("name"));
            await Promise.all([readAgain(), refreshSession()]);
          }}
        >
          <TextInput
            label={t`Passkey name`}
            name="name"
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={60}
          />
        </SimpleForm>
      )}
    </Section>
  );
};
