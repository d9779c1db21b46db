import "./users.css";
import { Button, Menu } from "@mantine/core";
import { inviteStaffMemberAgain } from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { call } from "#lib/api/call.ts";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Forbidden } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Raw, RecordActions, RecordTabs } from "#ui/record/Record.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { useAccessActions } from "./access/useAccessActions.tsx";
import { restore, stepOf } from "./actions.ts";
import { countryOf, roleLabels, statusLabels } from "./labels.ts";
import { type PrivacyAction, PrivacyItems, privacyDialogs } from "./privacy/PrivacyItems.tsx";
import { linkOf, nameOf, type User, userQuery, usersChanged } from "./queries.ts";
import { useMayEdit } from "./useMayEdit.ts";
import { UserActivity, UserHistory } from "./view/Activity.tsx";
import { Notes } from "./view/Notes.tsx";
import { Account, CurrentPackages } from "./view/Rail.tsx";
import { Transactions } from "./view/Transactions.tsx";

const Access = part(async () => (await import("./access/Access.tsx")).Access);
const StaffRail = part(async () => (await import("./staff/StaffRail.tsx")).StaffRail);
const SuspendDialog = part(async () => (await import("./dialogs.tsx")).SuspendDialog);

/** Email address, number, country and creation date, in one line below the name. */
const HeadFacts = ({ user: { email, number, country, role, createdAt } }: { user: User }) => (
  <>
    <a href={`mailto:${email}`} className="head-mail">
      {email}
    </a>
    <span className="dot" />
    <Reference value={number} what="the number" />
    {country && (
      <>
        <span className="dot" />
        {countryOf(country)}
      </>
    )}
    <span className="dot" />
    <span>
      {role ? `${roleLabels[role].label} since` : "customer since"} <Day at={createdAt} />
    </span>
  </>
);

type ActionsProps = {
  user: User;
  access: Pick<ReturnType<typeof useAccessActions>, "button" | "items">;
  onSuspend: () => void;
  onPrivacy: (act: PrivacyAction) => void;
};

const Actions = ({ user, access, onSuspend, onPrivacy }: ActionsProps) => {
  const mayWrite = useMay("users:write");
  const mayEdit = useMayEdit(user);
  const step = mayWrite ? stepOf(user) : null;
  const { id } = user;
  return (
    <RecordActions
      one="user"
      step={
        step === "restore" ? (
          <Button
            variant="default"
            leftSection={<Icon name="arrow-back-up" />}
            onClick={() => attempt(() => restore(user))}
          >
            Restore
          </Button>
        ) : (
          access.button
        )
      }
      edit={mayEdit ? { to: "/users/edit/$id", params: { id } } : null}
      duplicate={null}
      onDelete={null}
      items={
        <>
          {access.items}
          {step === "suspend" && (
            <Menu.Item leftSection={<Icon name="lock" />} onClick={onSuspend}>
              Suspend…
            </Menu.Item>
          )}
          <PrivacyItems user={user} onAsk={onPrivacy} />
        </>
      }
    />
  );
};

/** A pending invitation: when its link expires, and a button to send another. */
const Invitation = ({ user: { id, email, invitedUntil } }: { user: User }) => {
  const zone = useTimeZone();
  const mayInvite = useMay("staff:write");
  const isOver = invitedUntil !== null && new Date(invitedUntil) <= new Date();
  const until = invitedUntil && formatExact(zone, new Date(invitedUntil));
  const again = () =>
    attempt(async () => {
      await call(inviteStaffMemberAgain, { params: { id }, body: {} });
      toast(`Another invitation goes to ${email}. The earlier link no longer works.`);
      await usersChanged();
    });
  return (
    <section>
      <Callout tone={isOver ? "warn" : "info"} icon="mail" role="status">
        <span>
          {until === null && "The invitation is on its way. "}
          {until !== null && isOver && `The link in the invitation ended at ${until}. `}
          {until !== null && !isOver && `The link in the invitation works until ${until}. `}
        </span>
        {mayInvite && (
          <button type="button" className="sentence-link" onClick={() => void again()}>
            Send the invitation again
          </button>
        )}
      </Callout>
    </section>
  );
};

const Shown = ({ user }: { user: User }) => {
  const { tab } = useSearch({ from: "/users/view/$id" });
  const [isSuspending, setSuspending] = useState(false);
  const [privacy, setPrivacy] = useState<PrivacyAction | null>(null);
  const PrivacyDialog = privacy && privacyDialogs[privacy];
  const access = useAccessActions(user);
  const { id, role, status } = user;
  const name = nameOf(user);
  useEffect(
    () => rememberRecord({ path: linkOf({ id }), label: name, icon: "user-circle" }),
    [id, name],
  );
  return (
    <div className="record">
      <PageHead
        title={name}
        parent={{ label: "Users", to: "/users" }}
        heading={
          <span className="user-heading">
            <Avatar name={name} />
            <span>{name}</span>
          </span>
        }
        meta={<Status status={statusLabels[status]} loud />}
        facts={<HeadFacts user={user} />}
        acts={
          <Actions
            user={user}
            access={access}
            onSuspend={() => setSuspending(true)}
            onPrivacy={setPrivacy}
          />
        }
      />
      <RecordTabs one="user" current={tab} />
      <div className="record-columns">
        <div className="record-main">
          {tab === undefined && (
            <>
              {role && status === "invited" && <Invitation user={user} />}
              <Suspense>
                <Access userId={id} name={name} />
              </Suspense>
              <Transactions id={id} />
              <Notes user={user} />
              <UserHistory user={user} />
            </>
          )}
          {tab === "activity" && <UserActivity user={user} />}
          {tab === "raw" && <Raw record={user} />}
        </div>
        <aside className="record-rail">
          <CurrentPackages id={id} />
          <Account user={user} />
          {role && (
            <Suspense>
              <StaffRail userId={id} />
            </Suspense>
          )}
        </aside>
      </div>
      {access.dialog}
      <Suspense>
        {isSuspending && <SuspendDialog users={[user]} onClose={() => setSuspending(false)} />}
        {PrivacyDialog && <PrivacyDialog user={user} onClose={() => setPrivacy(null)} />}
      </Suspense>
    </div>
  );
};

export const ViewUser = () => {
  const { id } = useParams({ from: "/users/view/$id" });
  const mayRead = useMay("users:read");
  const { data: user, error, refetch } = useQuery({ ...userQuery(id), enabled: mayRead });
  if (!mayRead) return <Forbidden what="users" permission="Users: read" />;
  if (error && !user) return <Missing one="user" id={id} error={error} onRetry={() => refetch()} />;
  return user ? <Shown user={user} /> : <RecordSkeleton />;
};
