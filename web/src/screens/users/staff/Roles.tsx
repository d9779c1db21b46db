import "./staff.css";
import { Button } from "@mantine/core";
import { type Role, roles } from "@purser/contract/auth/permissions";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { capitalize, count, number } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Failed, Forbidden } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { linesByArea, roleHelp } from "./labels.ts";
import { customersQuery, memberQuery, rolesQuery } from "./queries.ts";
import { StaffRail } from "./StaffRail.tsx";

const InviteDialog = part(async () => (await import("./InviteDialog.tsx")).InviteDialog);

const RoleMembers = ({ role }: { role: Role }) => {
  const { data: held } = useQuery(rolesQuery);
  const { data: staff } = useQuery(customersQuery);
  const { people = 0 } = held?.find((one) => one.role === role) ?? {};
  const named = staff?.items.filter((person) => person.role === role) ?? [];
  const unnamed = people - named.length;
  return (
    <li>
      <div className="role-head">
        <b>{capitalize(role)}</b>
        <span className="soft">
          {held && (people === 0 ? "nobody" : count(people, "person", "people"))}
        </span>
      </div>
      <p className="soft">{roleHelp[role]}</p>
      <ul className="role-names">
        {named.map(({ id, name, status }) => (
          <li key={id}>
            <Link to="/roles" search={{ person: id }}>
              {name}
            </Link>
            {status !== "active" && <span className="softer"> {status}</span>}
          </li>
        ))}
      </ul>
      {named.length > 0 && unnamed > 0 && <p>and {number(unnamed)} more</p>}
    </li>
  );
};

/** All team members by role, or the one named in the URL. */
const Members = ({ person }: { person: string | undefined }) => {
  const { data, error, refetch } = useQuery(rolesQuery);
  const { data: member } = useQuery({
    ...memberQuery(person ?? ""),
    enabled: person !== undefined,
  });
  if (person !== undefined)
    return (
      <aside className="record-rail">
        <Section
          title={member?.name ?? "Member of staff"}
          acts={
            <Link to="/roles" className="quiet-link">
              Everybody
            </Link>
          }
        >
          <p className="soft">{member?.email}</p>
        </Section>
        <StaffRail key={person} userId={person} />
      </aside>
    );
  return (
    <aside className="record-rail">
      <Section title="Who has each role">
        {error && !data ? (
          <Failed what="The roles" error={error} onRetry={() => refetch()} />
        ) : (
          <ul className="role-members">
            {roles.map((role) => (
              <RoleMembers key={role} role={role} />
            ))}
          </ul>
        )}
      </Section>
    </aside>
  );
};

const Mark = ({ role, isAllowed }: { role: Role; isAllowed: boolean }) => (
  <td>
    {isAllowed ? (
      <>
        <Icon name="check" />
        <span className="unseen">{capitalize(role)} may</span>
      </>
    ) : (
      <span className="unseen">{capitalize(role)} may not</span>
    )}
  </td>
);

const Matrix = () => (
  <section
    className="role-matrix-place"
    aria-label="Roles and permissions"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
    tabIndex={0}
  >
    <table className="role-matrix">
      <caption className="unseen">What each role may do</caption>
      <thead>
        <tr>
          <th scope="col">Permission</th>
          {roles.map((role) => (
            <th key={role} scope="col">
              {capitalize(role)}
            </th>
          ))}
        </tr>
      </thead>
      {linesByArea(roles).map(({ area, lines }) => (
        <tbody key={area}>
          <tr>
            <th scope="rowgroup" colSpan={roles.length + 1}>
              {area}
            </th>
          </tr>
          {lines.map(({ permission, act, roles: allowed }) => (
            <tr key={permission}>
              <th scope="row">
                {act} <code className="softer">{permission}</code>
              </th>
              {roles.map((role) => (
                <Mark key={role} role={role} isAllowed={allowed[role]} />
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </section>
);

const RolesPage = () => {
  const { person } = useSearch({ from: "/roles" });
  const mayInvite = useMay("staff:write");
  const [inviting, setInviting] = useState(false);
  return (
    <div className="record">
      <PageHead
        title="Roles"
        facts="Who may do what. The server decides every call by this one table."
        acts={
          mayInvite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setInviting(true)}>
              Invite colleague
            </Button>
          )
        }
      />
      <div className="record-columns" data-person={person}>
        <div className="record-main">
          <Section title="What each role may do">
            <Matrix />
          </Section>
        </div>
        <Members person={person} />
      </div>
      <Suspense>{inviting && <InviteDialog onClose={() => setInviting(false)} />}</Suspense>
    </div>
  );
};

/** Roles and their permissions, from the same table that the server checks. */
export const Roles = () =>
  useMay("staff:read") ? <RolesPage /> : <Forbidden what="roles" permission="Staff: read" />;
