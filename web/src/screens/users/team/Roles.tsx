import { plural, t } from "@lingui/core/macro";
import "./team.css";
import { Button } from "@mantine/core";
import { type Role, roles } from "@purser/contract/auth/permissions";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { permissionNames } from "#lib/labels/permissions.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { roleLabels } from "../labels.ts";
import { GrantLimits } from "./GrantLimits.tsx";
import { linesByArea, statusLabels } from "./labels.ts";
import { customersQuery, memberQuery, rolesQuery } from "./queries.ts";
import { TeamMemberRail } from "./TeamMemberRail.tsx";

const InviteDialog = part(async () => (await import("./InviteDialog.tsx")).InviteDialog);

const RoleMembers = ({ role }: { role: Role }) => {
  const { data: held } = useQuery(rolesQuery);
  const { data: staff } = useQuery(customersQuery);
  const { members = 0 } = held?.find((one) => one.role === role) ?? {};
  const named = staff?.items.filter((member) => member.role === role) ?? [];
  const unnamed = members - named.length;
  return (
    <li>
      <div className="role-head">
        <b>{roleLabels[role].label}</b>
        <span className="soft">
          {held && plural(members, { 0: "No members", one: "# member", other: "# members" })}
        </span>
      </div>
      <p className="soft">{roleLabels[role].help}</p>
      <ul className="role-names">
        {named.map(({ id, name, status }) => (
          <li key={id}>
            <Link to="/roles" search={{ member: id }}>
              {name}
            </Link>
            {status !== "active" && <span className="softer"> {statusLabels[status].word}</span>}
          </li>
        ))}
      </ul>
      {named.length > 0 && unnamed > 0 && (
        <p>{plural(unnamed, { one: "and # more", other: "and # more" })}</p>
      )}
    </li>
  );
};

/** All team members by role, or the one named in the URL. */
const Members = ({ memberId }: { memberId: string | undefined }) => {
  const { data, error, refetch } = useQuery(rolesQuery);
  const { data: member } = useQuery({
    ...memberQuery(memberId ?? ""),
    enabled: memberId !== undefined,
  });
  if (memberId !== undefined)
    return (
      <aside className="record-rail">
        <Section
          title={member?.name ?? t`Team member`}
          actions={
            <Link to="/roles" className="quiet-link">
              {t`All team members`}
            </Link>
          }
        >
          <p className="soft">{member?.email}</p>
        </Section>
        <TeamMemberRail key={memberId} userId={memberId} />
      </aside>
    );
  return (
    <aside className="record-rail">
      <Section title={t`Members by role`}>
        {error && !data ? (
          <Failed title={t`Couldn't load roles`} error={error} onRetry={() => refetch()} />
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

const Mark = ({ role, isAllowed }: { role: Role; isAllowed: boolean }) => {
  const name = roleLabels[role].label;
  return (
    <td>
      {isAllowed ? (
        <>
          <Icon name="check" />
          <span className="unseen">{t`${name}: allowed`}</span>
        </>
      ) : (
        <span className="unseen">{t`${name}: not allowed`}</span>
      )}
    </td>
  );
};

const Matrix = () => (
  <section
    className="role-matrix-place"
    aria-label={t`Roles and permissions`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
    tabIndex={0}
  >
    <table className="role-matrix">
      <caption className="unseen">{t`Permissions of each role`}</caption>
      <thead>
        <tr>
          <th scope="col">{t`Permission`}</th>
          {roles.map((role) => (
            <th key={role} scope="col">
              {roleLabels[role].label}
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
          {lines.map(({ permission, roles: allowed }) => (
            <tr key={permission}>
              <th scope="row">{permissionNames[permission]}</th>
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
  const { member, invite } = useSearch({ from: "/roles" });
  const navigate = useNavigate();
  const mayInvite = useMay("team:write");
  const maySettings = useMay("settings:read");
  const setInviting = (isOpen: boolean) =>
    void navigate({
      to: "/roles",
      search: { ...(member && { member }), ...(isOpen && { invite: "new" }) },
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="record">
      <PageHead
        title={t`Team & roles`}
        facts={t`What each role can see and do.`}
        actions={
          mayInvite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setInviting(true)}>
              {t`Invite team member`}
            </Button>
          )
        }
      />
      <div className="record-columns" data-member={member}>
        <div className="record-main">
          <Section title={t`Permissions`}>
            <Matrix />
          </Section>
          {maySettings && <GrantLimits />}
        </div>
        <Members memberId={member} />
      </div>
      <Suspense>
        {mayInvite && invite && <InviteDialog onClose={() => setInviting(false)} />}
      </Suspense>
    </div>
  );
};

/** Roles and their permissions, from the same table that the server checks. */
export const Roles = () =>
  useMay("team:read") ? <RolesPage /> : <Forbidden permission="team:read" />;
