import { plural, t } from "@lingui/core/macro";
import "./team.css";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { endTeamMemberSession, listTeamMemberSignIns } from "@purser/contract/auth/activeSessions";
import { resendTeamMemberInvitation } from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { SessionList, type ShownSession } from "#ui/account/SessionList.tsx";
import { SignInList, useSignIns } from "#ui/account/SignInList.tsx";
import { Day } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { roleLabels } from "../labels.ts";
import { statusLabels } from "./labels.ts";
import { type Member, memberQuery, sessionsQuery, teamChanged } from "./queries.ts";

const loadDialogs = () => import("./dialogs.tsx");
const dialogs = {
  role: part(async () => (await loadDialogs()).ChangeRole),
  suspend: part(async () => (await loadDialogs()).Suspend),
  restore: part(async () => (await loadDialogs()).Restore),
  remove: part(async () => (await loadDialogs()).Remove),
  end: part(async () => (await loadDialogs()).EndSessions),
  reset: part(async () => (await loadDialogs()).ResetTwoFactor),
};
type Asked = keyof typeof dialogs;

const inviteAgain = ({ id, email }: Member) =>
  attempt(async () => {
    await call(resendTeamMemberInvitation, { params: { id }, body: {} });
    toast(t`Invitation sent again to ${email}`);
    await teamChanged();
  });

type Acting = { member: Member; onAsk: (asked: Asked) => void };

/** Team members can't change themselves here; the server would refuse. */
const useMayChange = ({ id }: Member) => {
  const isMe = useMe().id === id;
  return useMay("team:write") && !isMe;
};

const Role = ({ member, onAsk }: Acting) => {
  const { role, status, invitationEndsAt } = member;
  const mayChange = useMayChange(member);
  return (
    <Section title={t`Team member`}>
      <Facts
        of={[
          [t`Role`, roleLabels[role].label],
          [t`Status`, <Status key="status" status={statusLabels[status]} />],
          ...(status === "invited"
            ? [
                [
                  t`Invitation`,
                  invitationEndsAt === null ? (
                    t`Being sent`
                  ) : new Date(invitationEndsAt) > new Date() ? (
                    <span key="until">
                      <Trans>
                        Expires <Day at={invitationEndsAt} />
                      </Trans>
                    </span>
                  ) : (
                    t`Expired`
                  ),
                ] as [string, React.ReactNode],
              ]
            : []),
        ]}
      />
      {mayChange && (
        <div className="team-member-actions">
          <Button variant="default" size="xs" onClick={() => onAsk("role")}>
            {t`Change role`}
          </Button>
          {status === "invited" && (
            <Button variant="default" size="xs" onClick={() => inviteAgain(member)}>
              {t`Resend invitation`}
            </Button>
          )}
          {status === "suspended" ? (
            <Button variant="default" size="xs" onClick={() => onAsk("restore")}>
              {t`Reactivate`}
            </Button>
          ) : (
            <Button variant="default" size="xs" onClick={() => onAsk("suspend")}>
              {t`Suspend`}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => onAsk("remove")}>
            {t`Remove`}
          </Button>
        </div>
      )}
    </Section>
  );
};

const TwoFactorFacts = ({ member: { twoFactor, twoFactorDueAt } }: { member: Member }) => (
  <Facts
    of={[
      [t`Authenticator app`, twoFactor.authenticator ? t`On` : t`Off`],
      [
        t`Passkeys`,
        plural(twoFactor.passkeys, { 0: "None", one: "# passkey", other: "# passkeys" }),
      ],
      ...(twoFactorDueAt
        ? [
            [
              t`Required`,
              <span key="due">
                {new Date(twoFactorDueAt) > new Date() ? (
                  <Trans>
                    by <Day at={twoFactorDueAt} />
                  </Trans>
                ) : (
                  <Trans>
                    since <Day at={twoFactorDueAt} />
                  </Trans>
                )}
              </span>,
            ] as [string, React.ReactNode],
          ]
        : []),
    ]}
  />
);

const TwoFactor = ({ member, onAsk }: Acting) => {
  const { passkeys, authenticator } = member.twoFactor;
  const mayChange = useMayChange(member);
  return (
    <Section title={t`Two-factor authentication`}>
      <TwoFactorFacts member={member} />
      {mayChange && (passkeys > 0 || authenticator) && (
        <div className="team-member-actions">
          <Button variant="default" size="xs" onClick={() => onAsk("reset")}>
            {t`Reset`}
          </Button>
        </div>
      )}
    </Section>
  );
};

const Sessions = ({ member, onAsk }: Acting) => {
  const { id } = member;
  const mayEnd = useMay("team:write");
  const { data, error, refetch } = useQuery(sessionsQuery(id));
  const end = ({ id: sessionId }: ShownSession) =>
    attempt(async () => {
      await call(endTeamMemberSession, { params: { id, sessionId } });
      toast(t`Session ended`);
      await refetch();
    });
  if (error && !data)
    return <Failed title={t`Couldn't load sessions`} error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title={t`Active sessions`}
      note={data && plural(data.length, { one: "# session", other: "# sessions" })}
      actions={
        mayEnd &&
        data &&
        data.length > 0 && (
          <Button variant="default" size="xs" onClick={() => onAsk("end")}>
            {t`End all`}
          </Button>
        )
      }
    >
      {data?.length === 0 && <p className="soft">{t`No active sessions.`}</p>}
      <SessionList
        label={t`Active sessions`}
        sessions={data ?? []}
        onEnd={mayEnd ? end : undefined}
      />
    </Section>
  );
};

const SignInsOf = ({ id }: { id: string }) => (
  <Section title={t`Sign-ins`}>
    <SignInList
      label={t`Sign-ins`}
      atFirst={5}
      query={useSignIns(["team", "sign-ins", id], (query) =>
        call(listTeamMemberSignIns, { params: { id }, query }),
      )}
    />
  </Section>
);

const Rail = ({ userId }: { userId: string }) => {
  const { data: member, error, refetch } = useQuery(memberQuery(userId));
  const [asked, setAsked] = useState<Asked | null>(null);
  // No longer a team member: the rest of the page works without this.
  if (error instanceof CallError && error.is("not_found")) return null;
  if (error && !member)
    return <Failed title={t`Couldn't load the role`} error={error} onRetry={() => refetch()} />;
  if (!member) return null;
  const AskedDialog = asked && dialogs[asked];
  return (
    <>
      <Role member={member} onAsk={setAsked} />
      <TwoFactor member={member} onAsk={setAsked} />
      <Sessions member={member} onAsk={setAsked} />
      <SignInsOf id={userId} />
      <Suspense>
        {AskedDialog && <AskedDialog member={member} onClose={() => setAsked(null)} />}
      </Suspense>
    </>
  );
};

/** A team member's role, two-factor authentication, sessions and sign-ins. */
export const TeamMemberRail = ({ userId }: { userId: string }) =>
  useMay("team:read") ? <Rail userId={userId} /> : null;
