import "#ui/form/form.css";
import { plural, t } from "@lingui/core/macro";
import { endTeamMemberSessions } from "@purser/contract/auth/activeSessions";
import type { Role } from "@purser/contract/auth/permissions";
import {
  changeTeamMember,
  removeTeamMember,
  resetTeamMemberTwoFactor,
  restoreTeamMember,
  suspendTeamMember,
} from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { toast } from "#ui/popups/toast.ts";
import { roleLabels } from "../labels.ts";
import { differences, roleCards } from "./labels.ts";
import { type Member, sessionsQuery, teamChanged } from "./queries.ts";

type Props = { member: Member; onClose: () => void };

const useSessionCount = ({ id }: Member) => {
  const { data } = useQuery(sessionsQuery(id));
  return data ? number(data.length) : "…";
};

const EndingSessions = ({ member, more = [] }: { member: Member; more?: Consequence[] }) => (
  <Consequences
    of={[{ icon: "logout", what: t`Sessions ended`, amount: useSessionCount(member) }, ...more]}
  />
);
type Consequence = { icon: "key" | "fingerprint" | "link"; what: ReactNode; amount: ReactNode };

/** The sessions and all factors of the team member. */
const EndingAccess = ({ member }: { member: Member }) => {
  const { passkeys, authenticator } = member.twoFactor;
  const factors = number(passkeys + (authenticator ? 1 : 0));
  const what = t`Passkeys and authenticators removed`;
  return <EndingSessions member={member} more={[{ icon: "fingerprint", what, amount: factors }]} />;
};

const Difference = ({ title, of }: { title: string; of: string[] }) =>
  of.length > 0 && (
    <details className="role-difference">
      <summary>{title}</summary>
      <ul>
        {of.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </details>
  );

export const ChangeRole = ({ member, onClose }: Props) => {
  const { id, name, role, version } = member;
  const [chosen, setChosen] = useState<Role>(role);
  const { gained, lost } = differences(role, chosen);
  const isSame = chosen === role;
  const before = roleLabels[role].label;
  return (
    <Confirm
      onClose={onClose}
      title={t`Change the role of ${name}`}
      fact={t`Currently ${before}. A new role ends all sessions.`}
      sign={{ icon: "shield-lock", tone: "warn" }}
      wanted={{
        operation: "PUT /team/:id",
        params: { id },
        body: { name, role: chosen },
        version,
      }}
      button={t`Change role`}
      canRun={!isSame}
      action={async () => {
        await call(changeTeamMember, { params: { id }, body: { name, role: chosen }, version });
        const after = roleLabels[chosen].label;
        toast(t`Role of ${name} changed to ${after}`);
        await teamChanged();
      }}
    >
      <RadioCards
        legend={t`Role`}
        path="role"
        cards={roleCards}
        value={chosen}
        onChange={setChosen}
      />
      {!isSame && (
        <>
          <Difference
            title={plural(gained.length, {
              one: "Gains # permission",
              other: "Gains # permissions",
            })}
            of={gained}
          />
          <Difference
            title={plural(lost.length, { one: "Loses # permission", other: "Loses # permissions" })}
            of={lost}
          />
          <EndingSessions member={member} />
        </>
      )}
    </Confirm>
  );
};

export const Suspend = ({ member, onClose }: Props) => {
  const { id, name, version } = member;
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={t`Suspend ${name}?`}
      fact={t`They can't sign in until you reactivate them.`}
      sign={{ icon: "ban", tone: "bad" }}
      button={t`Suspend`}
      action={async () => {
        await call(suspendTeamMember, {
          params: { id },
          body: {},
          version,
          action: t`Suspend ${name}`,
        });
        toast(t`${name} suspended`);
        await teamChanged();
      }}
    >
      <EndingSessions member={member} />
    </Confirm>
  );
};

export const Restore = ({ member, onClose }: Props) => {
  const { id, name, role, version } = member;
  const roleName = roleLabels[role].label;
  return (
    <Confirm
      onClose={onClose}
      title={t`Reactivate ${name}?`}
      fact={t`They can sign in as before, with the role ${roleName}.`}
      sign={{ icon: "circle-check", tone: "ok" }}
      button={t`Reactivate`}
      action={async () => {
        await call(restoreTeamMember, {
          params: { id },
          body: {},
          version,
          action: t`Reactivate ${name}`,
        });
        toast(t`${name} reactivated`);
        await teamChanged();
      }}
    />
  );
};

export const Remove = ({ member, onClose }: Props) => {
  const { id, name, version } = member;
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={t`Remove ${name} from the team?`}
      fact={t`They remain a customer and keep their history. You can invite them again.`}
      sign={{ icon: "users", tone: "bad" }}
      button={t`Remove`}
      wanted={{ operation: "POST /team/:id/remove", params: { id }, body: {}, version }}
      action={async () => {
        await call(removeTeamMember, {
          params: { id },
          body: {},
          version,
          action: t`Remove ${name}`,
        });
        toast(t`${name} removed from the team`);
        await teamChanged();
      }}
    >
      <EndingAccess member={member} />
    </Confirm>
  );
};

/** For a team member who lost their passkeys, authenticator app and recovery codes. */
export const ResetTwoFactor = ({ member, onClose }: Props) => {
  const { id, name } = member;
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={t`Reset two-factor authentication of ${name}?`}
      fact={t`They receive an email. At the next sign-in with their password they set it up again. Make sure that the request came from them.`}
      sign={{ icon: "fingerprint", tone: "bad" }}
      button={t`Reset`}
      wanted={{ operation: "POST /team/:id/two-factor/reset", params: { id }, body: {} }}
      action={async () => {
        await call(resetTeamMemberTwoFactor, {
          params: { id },
          body: {},
          action: t`Reset two-factor authentication of ${name}`,
        });
        toast(t`Two-factor authentication of ${name} reset`);
        await teamChanged();
      }}
    >
      <EndingAccess member={member} />
    </Confirm>
  );
};

export const EndSessions = ({ member, onClose }: Props) => {
  const { id, name } = member;
  return (
    <Confirm
      onClose={onClose}
      title={t`End all sessions of ${name}?`}
      fact={t`They can sign in again. Unsaved changes are kept in their browser.`}
      sign={{ icon: "logout", tone: "warn" }}
      button={t`End all sessions`}
      action={async () => {
        await call(endTeamMemberSessions, { params: { id } });
        toast(t`${name} signed out everywhere`);
        await teamChanged();
      }}
    >
      <EndingSessions member={member} />
    </Confirm>
  );
};
