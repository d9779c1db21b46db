import "./account.css";
import { t } from "@lingui/core/macro";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import {
  endOwnSession,
  listSessions,
  listSignIns,
  signOutEverywhere,
} from "@purser/contract/auth/activeSessions";
import { changePassword } from "@purser/contract/auth/passwords";
import { changeOwnName } from "@purser/contract/auth/session";
import { useQuery } from "@tanstack/react-query";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { removeAllCopies } from "#lib/drafts/drafts.ts";
import { roleNames } from "#lib/labels/roles.ts";
import { pageAddress } from "#lib/page/runtime.ts";
import { setSession, useMe } from "#lib/session/session.ts";
import { Preferences } from "#shell/account/Preferences.tsx";
import { announceSession } from "#shell/signIn/sessionChannel.ts";
import { NewPassword } from "#ui/account/NewPassword.tsx";
import { SessionList, type ShownSession } from "#ui/account/SessionList.tsx";
import { SignInList, useSignIns } from "#ui/account/SignInList.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Facts, PageHead, Section } from "#ui/page/Page.tsx";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Authenticator } from "./Authenticator.tsx";
import { Passkeys } from "./Passkeys.tsx";

const Password = ({ email }: { email: string }) => (
  <Section title={t`Password`} note={t`Changing your password ends your other sessions`}>
    <SimpleForm
      button={t`Change password`}
      look={{ variant: "default" }}
      refused="current"
      onSubmit={async (read) => {
        const body = { current: read("current"), password: read("password") };
        await call(changePassword, { body });
        toast(t`Password changed. Your other sessions were ended.`);
      }}
    >
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t`Current password`}
        name="current"
        size="sm"
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <NewPassword size="sm" />
    </SimpleForm>
  </Section>
);

const leaveEverywhere = () =>
  attempt(async () => {
    await call(signOutEverywhere, { signedOut: "throw" }).catch((error) => {
      if (!(error instanceof CallError && error.is("unauthenticated"))) throw error;
    });
    removeAllCopies();
    announceSession();
    location.assign(pageAddress("/login"));
  });

const endSession = ({ id }: ShownSession) =>
  attempt(async () => {
    await call(endOwnSession, { params: { id } });
    toast(t`Session ended`);
    await queryClient.invalidateQueries({ queryKey: ["sessions"] });
  });

/** While two-factor authentication is required but not set up, sessions are read-only. */
const Devices = ({ isHeldUp }: { isHeldUp: boolean }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions"],
    queryFn: () => call(listSessions),
  });
  if (error && !data)
    return (
      <Failed title={t`Couldn't load active sessions`} error={error} onRetry={() => refetch()} />
    );
  return (
    <Section
      title={t`Active sessions`}
      actions={
        !isHeldUp && (
          <Button variant="default" size="xs" onClick={leaveEverywhere}>
            {t`Sign out everywhere`}
          </Button>
        )
      }
    >
      <SessionList
        label={t`Active sessions`}
        sessions={data?.items ?? []}
        onEnd={isHeldUp ? undefined : endSession}
      />
    </Section>
  );
};

const OwnSignIns = () => (
  <Section title={t`Sign-ins`}>
    <SignInList
      label={t`Your sign-ins`}
      query={useSignIns(["sign-ins"], (query) => call(listSignIns, { query }))}
    />
  </Section>
);

const Name = ({ name }: { name: string }) => (
  <Section title={t`Name`}>
    <SimpleForm
      // Remounts after saving, so that a reset of the field returns to the new name.
      key={name}
      button={t`Save name`}
      look={{ variant: "default" }}
      refused="name"
      onSubmit={async (read) => {
        setSession(await call(changeOwnName, { body: { name: read("name") } }));
        toast(t`Name saved`);
      }}
    >
      <TextInput
        label={t`Display name`}
        name="name"
        size="sm"
        autoComplete="name"
        defaultValue={name}
        required
        withAsterisk={false}
        maxLength={120}
      />
    </SimpleForm>
  </Section>
);

const Rail = ({ isHeldUp }: { isHeldUp: boolean }) => {
  const { name, email, role } = useMe();
  return (
    <aside className="record-rail">
      <Section title={t`Profile`}>
        <Facts
          of={[
            [t`Name`, name],
            [t`Email`, email],
            [t`Role`, roleNames[role]],
          ]}
        />
      </Section>
      {!isHeldUp && (
        <Section title={t`Preferences`} note={t`Apply on all your devices`}>
          <div className="account-preferences">
            <Preferences />
          </div>
        </Section>
      )}
    </aside>
  );
};

export const Account = () => {
  const { name, email, twoFactor, twoFactorRequirement, proof } = useMe();
  const isHeldUp = twoFactorRequirement?.isDue ?? false;
  return (
    <div className="record">
      <PageHead title={t`Profile and security`} />
      <div className="record-columns">
        <div className="record-main account-page">
          <Passkeys />
          <Section
            title={t`Two-factor authentication`}
            note={t`A code from your authenticator app`}
          >
            <Authenticator on={twoFactor} />
          </Section>
          {!isHeldUp && proof === "password" && <Password email={email} />}
          {!isHeldUp && <Name name={name} />}
          <Devices isHeldUp={isHeldUp} />
          {!isHeldUp && <OwnSignIns />}
        </div>
        <Rail isHeldUp={isHeldUp} />
      </div>
    </div>
  );
};
