import "./staff.css";
import { Button } from "@mantine/core";
import { endStaffSession, listStaffSignIns } from "@purser/contract/auth/activeSessions";
import { inviteStaffMemberAgain } from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { capitalize, count } from "#lib/labels.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { SessionList, type ShownSession } from "#ui/account/SessionList.tsx";
import { SignInList, useSignIns } from "#ui/account/SignInList.tsx";
import { Day } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { statusLabels } from "./labels.ts";
import { type Member, memberQuery, sessionsQuery, staffChanged } from "./queries.ts";

const loadDialogs = () => import("./dialogs.tsx");
const dialogs = {
  role: part(async () => (await loadDialogs()).ChangeRole),
  suspend: part(async () => (await loadDialogs()).Suspend),
  restore: part(async () => (await loadDialogs()).Restore),
  remove: part(async () => (await loadDialogs()).Remove),
  end: part(async () => (await loadDialogs()).EndSessions),
};
type Asked = keyof typeof dialogs;

const inviteAgain = ({ id, email }: Member) =>
  attempt(async () => {
    await call(inviteStaffMemberAgain, { params: { id }, body: {} });
    toast(`A new invitation is on its way to ${email}. The earlier link no longer works.`);
    await staffChanged();
  });

type Acting = { member: Member; onAsk: (asked: Asked) => void };

/** Team members can't change themselves here; the server would refuse. */
const useMayChange = ({ id }: Member) => {
  const isMe = useMe().id === id;
  return useMay("staff:write") && !isMe;
};

const Role = ({ member, onAsk }: Acting) => {
  const { role, status, invitationEndsAt } = member;
  const mayChange = useMayChange(member);
  return (
    <Section title="Staff">
      <Facts
        of={[
          ["Role", capitalize(role)],
          ["Status", <Status key="status" status={statusLabels[status]} />],
          ...(status === "invited"
            ? [
                [
                  "Invitation",
                  invitationEndsAt && new Date(invitationEndsAt) > new Date() ? (
                    <span key="until">
                      works until <Day at={invitationEndsAt} />
                    </span>
                  ) : (
                    "no link that works"
                  ),
                ] as [string, React.ReactNode],
              ]
            : []),
        ]}
      />
      {mayChange && (
        <div className="staff-actions">
          <Button variant="default" size="xs" onClick={() => onAsk("role")}>
            Change role
          </Button>
          {status === "invited" && (
            <Button variant="default" size="xs" onClick={() => inviteAgain(member)}>
              Invite again
            </Button>
          )}
          {status === "suspended" ? (
            <Button variant="default" size="xs" onClick={() => onAsk("restore")}>
              Let in again
            </Button>
          ) : (
            <Button variant="default" size="xs" onClick={() => onAsk("suspend")}>
              Suspend
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => onAsk("remove")}>
            Remove from staff
          </Button>
        </div>
      )}
    </Section>
  );
};

const SecondFactor = ({ member: { secondFactor, secondFactorDueAt } }: { member: Member }) => (
  <Section title="Second factor">
    <Facts
      of={[
        ["Authenticator", secondFactor.authenticator ? "on" : "off"],
        [
          "Passkeys",
          secondFactor.passkeys === 0 ? "none" : count(secondFactor.passkeys, "passkey"),
        ],
        ...(secondFactorDueAt
          ? [
              [
                "Needed",
                <span key="due">
                  {new Date(secondFactorDueAt) > new Date() ? "by " : "since "}
                  <Day at={secondFactorDueAt} />
                </span>,
              ] as [string, React.ReactNode],
            ]
          : []),
      ]}
    />
  </Section>
);

const Sessions = ({ member, onAsk }: Acting) => {
  const { id } = member;
  const mayEnd = useMay("staff:write");
  const { data, error, refetch } = useQuery(sessionsQuery(id));
  const end = ({ id: sessionId, device }: ShownSession) =>
    attempt(async () => {
      await call(endStaffSession, { params: { id, sessionId } });
      toast(`The session of ${device} has ended.`);
      await refetch();
    });
  if (error && !data) return <Failed what="The sessions" error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title="Sessions"
      note={data && count(data.length, "session")}
      acts={
        mayEnd &&
        data &&
        data.length > 0 && (
          <Button variant="default" size="xs" onClick={() => onAsk("end")}>
            End all
          </Button>
        )
      }
    >
      {data?.length === 0 && <p className="soft">Signed in nowhere.</p>}
      <SessionList label="Sessions" sessions={data ?? []} onEnd={mayEnd ? end : undefined} />
    </Section>
  );
};

const SignInsOf = ({ id }: { id: string }) => (
  <Section title="Sign-ins">
    <SignInList
      what="Sign-ins"
      atFirst={5}
      query={useSignIns(["staff", "sign-ins", id], (query) =>
        call(listStaffSignIns, { params: { id }, query }),
      )}
    />
  </Section>
);

const Rail = ({ userId }: { userId: string }) => {
  const { data: member, error, refetch } = useQuery(memberQuery(userId));
  const [asked, setAsked] = useState<Asked | null>(null);
  // No longer a team member: the rest of the page works without this.
  if (error instanceof CallError && error.is("not_found")) return null;
  if (error && !member) return <Failed what="The role" error={error} onRetry={() => refetch()} />;
  if (!member) return null;
  const AskedDialog = asked && dialogs[asked];
  return (
    <>
      <Role member={member} onAsk={setAsked} />
      <SecondFactor member={member} />
      <Sessions member={member} onAsk={setAsked} />
      <SignInsOf id={userId} />
      <Suspense>
        {AskedDialog && <AskedDialog member={member} onClose={() => setAsked(null)} />}
      </Suspense>
    </>
  );
};

/** A team member's role, two-factor authentication, sessions and sign-ins. */
export const StaffRail = ({ userId }: { userId: string }) =>
  useMay("staff:read") ? <Rail userId={userId} /> : null;
