import { pageAddress } from "#lib/runtime.ts";
import "./account.css";
import { Button, PasswordInput } from "@mantine/core";
import { changePassword, listSessions, signOutEverywhere } from "@purser/contract/session";
import { useQuery } from "@tanstack/react-query";
import { CallError, call } from "#lib/call.ts";
import { forgetCopies } from "#lib/drafts.ts";
import { useMe } from "#lib/session.ts";
import { capitalised } from "#lib/words.ts";
import { announceSession } from "#shell/tabs.ts";
import { Failed } from "#ui/Empty.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { NewPassword } from "#ui/NewPassword.tsx";
import { Facts, PageHead, Section } from "#ui/Page.tsx";
import { SimpleForm } from "#ui/SimpleForm.tsx";
import { attempt, toast } from "#ui/toast.ts";
import { Authenticator } from "./Authenticator.tsx";
import { Passkeys } from "./Passkeys.tsx";

const Password = ({ email }: { email: string }) => (
  <Section title="Password" note="your other sessions end when it changes">
    <SimpleForm
      button="Change password"
      look={{ variant: "default" }}
      refused="current"
      onSubmit={async (read) => {
        const body = { current: read("current"), password: read("password") };
        await call(changePassword, { body });
        toast("Your password is changed. Your other sessions have ended.");
      }}
    >
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Current password"
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
    await call(signOutEverywhere, { signedOut: "tell" }).catch((error) => {
      if (!(error instanceof CallError && error.is("unauthenticated"))) throw error;
    });
    forgetCopies();
    announceSession();
    location.assign(pageAddress("/login"));
  });

const Devices = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions"],
    queryFn: () => call(listSessions),
  });
  if (error && !data) return <Failed what="Your devices" error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title="Signed-in devices"
      acts={
        <Button variant="default" size="xs" onClick={leaveEverywhere}>
          Sign out everywhere
        </Button>
      }
    >
      <ul className="devices">
        {data?.items.map(({ createdAt, lastSeenAt, address, device, current }) => (
          <li key={`${createdAt}${address}`}>
            <Icon name="device-desktop" />
            <div>
              <span className="device-name">{device}</span>
              <small>
                {address}
                <span className="dot" />
                since <Moment at={createdAt} />
                <span className="dot" />
                {current ? (
                  "this device"
                ) : (
                  <>
                    seen <Moment at={lastSeenAt} />
                  </>
                )}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
};

export const Account = () => {
  const { name, email, role, secondFactor } = useMe();
  return (
    <div className="record">
      <PageHead title="Profile and security" />
      <div className="record-columns">
        <div className="record-main account-page">
          <Passkeys email={email} />
          <Section title="Authenticator" note="a code from your phone, after the password">
            <Authenticator email={email} on={secondFactor} />
          </Section>
          <Password email={email} />
          <Devices />
        </div>
        <aside className="record-rail">
          <Section title="You">
            <Facts
              of={[
                ["Name", name],
                ["Mail", email],
                ["Role", capitalised(role)],
              ]}
            />
          </Section>
        </aside>
      </div>
    </div>
  );
};
