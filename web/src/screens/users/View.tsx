import { t } from "@lingui/core/macro";
import "./users.css";
import { Trans } from "@lingui/react/macro";
import { Button, Menu } from "@mantine/core";
import { resendTeamMemberInvitation } from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { call } from "#lib/api/call.ts";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { ChangePackage } from "#screens/transactions/SubscriptionActions.tsx";
import { Missing } from "#shell/errors/Missing.tsx";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Raw, RecordActions } from "#ui/record/Record.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { useAccessActions } from "./access/useAccessActions.tsx";
import { restore, stepOf } from "./actions.ts";
import { Balance } from "./balance/Balance.tsx";
import { countryOf, roleLabels, statusLabels } from "./labels.ts";
import { type PrivacyAction, PrivacyItems, privacyDialogs } from "./privacy/PrivacyItems.tsx";
import {
  linkOf,
  nameOf,
  runningOf,
  subscriptionsQuery,
  type User,
  userQuery,
  usersChanged,
} from "./queries.ts";
import { useMayEdit } from "./useMayEdit.ts";
import { UserActivity } from "./view/Activity.tsx";
import { CustomerDocuments } from "./view/CustomerDocuments.tsx";
import { DeniedLately } from "./view/DeniedLately.tsx";
import { LatestNote } from "./view/LatestNote.tsx";
import { Notes } from "./view/Notes.tsx";
import { OpenProblems } from "./view/OpenProblems.tsx";
import { Account, BillingDetails, CurrentPackages } from "./view/Rail.tsx";
import { SummaryStrip } from "./view/SummaryStrip.tsx";
import { Transactions } from "./view/Transactions.tsx";
import { UserTabs } from "./view/UserTabs.tsx";

const Access = part(async () => (await import("./access/Access.tsx")).Access);
const UsageTab = part(async () => (await import("./usage/Usage.tsx")).UsageTab);
const TeamMemberRail = part(async () => (await import("./team/TeamMemberRail.tsx")).TeamMemberRail);
const SuspendDialog = part(async () => (await import("./dialogs.tsx")).SuspendDialog);

/** Email address, number, country and creation date, in one line below the name. */
const HeadFacts = ({ user }: { user: User }) => {
  const { email, number, country, role, status, createdAt } = user;
  const roleName = role ? roleLabels[role].label : "";
  return (
    <>
      {/* An erased person has only a placeholder. */}
      {status !== "erased" && (
        <>
          <a href={`mailto:${email}`} className="head-mail">
            {email}
          </a>
          <span className="dot" />
        </>
      )}
      <Reference value={number} copyLabel={t`Copy number`} />
      {country && (
        <>
          <span className="dot" />
          {countryOf(country)}
        </>
      )}
      <span className="dot" />
      <span>
        {role ? (
          <Trans>
            {roleName} since <Day at={createdAt} />
          </Trans>
        ) : (
          <Trans>
            Customer since <Day at={createdAt} />
          </Trans>
        )}
      </span>
    </>
  );
};

type ActionsProps = {
  user: User;
  access: Pick<ReturnType<typeof useAccessActions>, "button" | "items">;
  onSuspend: () => void;
  onPrivacy: (action: PrivacyAction) => void;
};

const Actions = ({ user, access, onSuspend, onPrivacy }: ActionsProps) => {
  const mayWrite = useMay("users:write");
  const mayEdit = useMayEdit(user);
  const step = mayWrite ? stepOf(user) : null;
  const { data: subscriptions } = useQuery(subscriptionsQuery(user.id));
  const { id } = user;
  return (
    <RecordActions
      step={
        step === "restore" ? (
          <Button
            variant="default"
            leftSection={<Icon name="arrow-back-up" />}
            onClick={() => attempt(() => restore(user))}
          >
            {t`Reactivate`}
          </Button>
        ) : (
          <>
            {access.button}
            <ChangePackage stored={subscriptions && runningOf(user, subscriptions)[0]} />
          </>
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
              {t`Suspend…`}
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
  const mayInvite = useMay("team:write");
  const isOver = invitedUntil !== null && new Date(invitedUntil) <= new Date();
  const until = invitedUntil && formatExact(zone, new Date(invitedUntil));
  const again = () =>
    attempt(async () => {
      await call(resendTeamMemberInvitation, { params: { id }, body: {} });
      toast(t`Invitation sent again to ${email}`);
      await usersChanged();
    });
  return (
    <section>
      <Callout tone={isOver ? "warn" : "info"} icon="mail" role="status">
        <span>
          {until === null && t`The invitation is being sent.`}
          {until !== null && isOver && t`The invitation link expired on ${until}.`}
          {until !== null && !isOver && t`The invitation link works until ${until}.`}
        </span>{" "}
        {mayInvite && (
          <button type="button" className="sentence-link" onClick={() => void again()}>
            {t`Resend invitation`}
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
  const mayReadPayments = useMay("transactions:read");
  const name = nameOf(user);
  useEffect(
    () => rememberRecord({ path: linkOf({ id }), label: name, icon: "user-circle" }),
    [id, name],
  );
  return (
    <div className="record">
      <PageHead
        title={name}
        parent={{ label: t`Users`, to: "/users" }}
        heading={
          <span className="user-heading">
            <Avatar name={name} />
            <span>{name}</span>
          </span>
        }
        meta={<Status status={statusLabels[status]} loud />}
        facts={<HeadFacts user={user} />}
        actions={
          <Actions
            user={user}
            access={access}
            onSuspend={() => setSuspending(true)}
            onPrivacy={setPrivacy}
          />
        }
      />
      <SummaryStrip user={user} />
      <UserTabs id={id} current={tab} />
      <div className="record-columns">
        <div className="record-main">
          {tab === undefined && (
            <>
              {role && status === "invited" && <Invitation user={user} />}
              <Suspense fallback={<div className="access-loading" />}>
                <Access user={user} name={name} />
              </Suspense>
            </>
          )}
          {tab === "usage" && (
            <Suspense>
              <UsageTab user={user} />
            </Suspense>
          )}
          {tab === "payments" && mayReadPayments && (
            <>
              <Transactions user={user} />
              <Balance user={user} />
            </>
          )}
          {tab === "documents" && mayReadPayments && <CustomerDocuments id={user.id} />}
          {tab === "notes" && <Notes user={user} />}
          {tab === "activity" && <UserActivity user={user} />}
          {tab === "raw" && <Raw record={user} />}
        </div>
        <aside className="record-rail">
          <OpenProblems user={user} />
          <DeniedLately user={user} />
          <CurrentPackages user={user} />
          {role === null && <BillingDetails user={user} />}
          <Account user={user} />
          {tab !== "notes" && <LatestNote id={id} />}
          {role && (
            <Suspense>
              <TeamMemberRail userId={id} />
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
  if (!mayRead) return <Forbidden permission="users:read" />;
  if (error && !user) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return user ? <Shown user={user} /> : <RecordSkeleton />;
};
