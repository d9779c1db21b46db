import "#ui/form/form.css";
import { endStaffSessions } from "@purser/contract/auth/activeSessions";
import type { Role } from "@purser/contract/auth/permissions";
import {
  changeStaffMember,
  removeStaffMember,
  restoreStaffMember,
  suspendStaffMember,
} from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "#lib/api/call.ts";
import { capitalize, count, number } from "#lib/labels.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { toast } from "#ui/popups/toast.ts";
import { differences, roleCards } from "./labels.ts";
import { type Member, sessionsQuery, staffChanged } from "./queries.ts";

type Props = { member: Member; onClose: () => void };

const useSessionCount = ({ id }: Member) => {
  const { data } = useQuery(sessionsQuery(id));
  return data ? number(data.length) : "…";
};

const EndingSessions = ({ member, more = [] }: { member: Member; more?: Consequence[] }) => (
  <Consequences
    of={[
      { icon: "logout", what: "Sessions that end at once", amount: useSessionCount(member) },
      ...more,
    ]}
  />
);
type Consequence = { icon: "key" | "fingerprint" | "link"; what: ReactNode; amount: ReactNode };

const Difference = ({ what, of }: { what: string; of: string[] }) =>
  of.length > 0 && (
    <details className="role-difference">
      <summary>
        {what} {count(of.length, "permission")}
      </summary>
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
  return (
    <Confirm
      onClose={onClose}
      title={`Change the role of ${name}`}
      fact={`Now ${capitalize(role)}. Another role ends every session, so that it holds at once.`}
      sign={{ icon: "shield-lock", tone: "warn" }}
      wanted={{
        operation: "PUT /staff/:id",
        params: { id },
        body: { name, role: chosen },
        version,
      }}
      button={isSame ? `Keep ${capitalize(role)}` : `Make ${name} ${capitalize(chosen)}`}
      act={async () => {
        if (isSame) return;
        await call(changeStaffMember, { params: { id }, body: { name, role: chosen }, version });
        toast(`${name} is ${capitalize(chosen)} now, and has to sign in again.`);
        await staffChanged();
      }}
    >
      <RadioCards legend="Role" path="role" cards={roleCards} value={chosen} onChange={setChosen} />
      {!isSame && (
        <>
          <Difference what="Gains" of={gained} />
          <Difference what="Loses" of={lost} />
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
      title={`Suspend ${name}?`}
      fact="Nothing is lost: whoever may change staff can let them in again."
      sign={{ icon: "ban", tone: "bad" }}
      button={`Suspend ${name}`}
      act={async () => {
        await call(suspendStaffMember, { params: { id }, body: {}, version });
        toast(`${name} is suspended and can no longer sign in.`);
        await staffChanged();
      }}
    >
      <EndingSessions member={member} />
    </Confirm>
  );
};

export const Restore = ({ member, onClose }: Props) => {
  const { id, name, role, version } = member;
  return (
    <Confirm
      onClose={onClose}
      title={`Let ${name} in again?`}
      fact={`With the role ${capitalize(role)}, and what they signed in with before.`}
      sign={{ icon: "circle-check", tone: "ok" }}
      button={`Let ${name} in`}
      act={async () => {
        await call(restoreStaffMember, { params: { id }, body: {}, version });
        toast(`${name} may sign in again.`);
        await staffChanged();
      }}
    />
  );
};

export const Remove = ({ member, onClose }: Props) => {
  const { id, name, version, secondFactor } = member;
  const factors = secondFactor.passkeys + (secondFactor.authenticator ? 1 : 0);
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={`Remove ${name} from the staff?`}
      fact="The person stays as a customer, with what they bought and what they did here. To come back they are invited anew."
      sign={{ icon: "users", tone: "bad" }}
      button={`Remove ${name}`}
      wanted={{ operation: "POST /staff/:id/remove", params: { id }, body: {}, version }}
      act={async () => {
        await call(removeStaffMember, { params: { id }, body: {}, version });
        toast(`${name} is no longer on the staff.`);
        await staffChanged();
      }}
    >
      <EndingSessions
        member={member}
        more={[
          {
            icon: "fingerprint",
            what: "Passkeys and authenticators that are forgotten",
            amount: number(factors),
          },
        ]}
      />
    </Confirm>
  );
};

export const EndSessions = ({ member, onClose }: Props) => {
  const { id, name } = member;
  return (
    <Confirm
      onClose={onClose}
      title={`End every session of ${name}?`}
      fact="They can sign in again at once. What they typed and did not save stays in their browser."
      sign={{ icon: "logout", tone: "warn" }}
      button="End all sessions"
      act={async () => {
        await call(endStaffSessions, { params: { id } });
        toast(`${name} is signed out everywhere.`);
        await staffChanged();
      }}
    >
      <EndingSessions member={member} />
    </Confirm>
  );
};
