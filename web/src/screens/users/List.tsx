import "./users.css";
import { plural, t } from "@lingui/core/macro";
import { exportUsers } from "@purser/contract/users/endpoints";
import { userColumns, userLabels, userListFields } from "@purser/contract/users/fields";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import type { Column } from "#ui/list/columns/columns.ts";
import { createdColumn } from "#ui/list/columns/sharedColumns.tsx";
import type { ListTexts, View } from "#ui/list/declaration.ts";
import { ImportLink } from "#ui/list/ImportLink.tsx";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Status } from "#ui/Status.tsx";
import { customerFilter, fieldLabels, roleLabels, statusLabels, teamFilter } from "./labels.ts";
import { countsQuery, linkOf, nameOf, readUser, readUsers, sumRows, type User } from "./queries.ts";

// Loaded on demand: most visits to the list open no menu and no dialog.
const Bulk = part(async () => (await import("./Bulk.tsx")).Bulk);
const Overview = part(async () => (await import("./view/Overview.tsx")).Overview);
const UserMenu = part(async () => (await import("./RowMenu.tsx")).UserMenu);
const SuspendDialog = part(async () => (await import("./dialogs.tsx")).SuspendDialog);

const More = ({ than }: { than: readonly unknown[] }) =>
  than.length > 1 && <span className="softer"> +{than.length - 1}</span>;

const None = () => <span className="softer">–</span>;

const columns: Column<User, typeof userListFields>[] = [
  {
    id: "name",
    label: t`User`,
    sort: "name",
    width: 280,
    grows: true,
    cell: (user) => (
      <span className="user-named">
        <b>{nameOf(user)}</b>{" "}
        <small>
          {user.name && user.email}
          {user.role && ` · ${roleLabels[user.role].label}`}
          {user.mergedIntoId && ` · ${t`merged`}`}
        </small>
      </span>
    ),
  },
  {
    id: "status",
    width: 116,
    card: "status",
    cell: ({ status }) => <Status status={statusLabels[status]} />,
  },
  {
    id: "packages",
    label: userLabels.packages,
    width: 170,
    card: "field",
    cell: ({ packages }) => {
      const [first] = packages;
      return first ? (
        <>
          {first.name}
          <More than={packages} />
        </>
      ) : (
        <None />
      );
    },
  },
  {
    id: "renewsAt",
    label: userLabels.renewsAt,
    width: 112,
    priority: 2,
    cell: ({ renewsAt }) =>
      renewsAt ? (
        <span className="soft">
          <Day at={renewsAt} />
        </span>
      ) : (
        <None />
      ),
  },
  {
    id: "spent",
    label: userLabels.spent,
    width: 130,
    align: "end",
    priority: 2,
    cell: ({ spent }) => {
      const [first] = spent;
      return first ? (
        <>
          <Money amount={first.total} currency={first.currency} />
          <More than={spent} />
        </>
      ) : (
        <None />
      );
    },
  },
  { ...createdColumn<User>(), spare: false, priority: 3, width: 120 },
  {
    id: "number",
    label: userLabels.number,
    width: 130,
    spare: true,
    cell: ({ number }) => <span className="mono soft">{number}</span>,
  },
  {
    id: "role",
    width: 110,
    spare: true,
    cell: ({ role }) => (
      <span className="soft">{role === null ? t`Customer` : roleLabels[role].label}</span>
    ),
  },
  {
    id: "externalId",
    label: userLabels.externalId,
    width: 150,
    spare: true,
    cell: ({ externalId }) =>
      externalId ? <span className="mono soft">{externalId}</span> : <None />,
  },
];

const useViews = (): View[] => {
  const seesTeam = useMay("team:read");
  const { data: counts } = useQuery(countsQuery);
  const everyone = { label: t`Everyone`, filter: null, total: counts?.everyone };
  if (!seesTeam) return [everyone];
  return [
    everyone,
    { label: t`Customers`, filter: customerFilter, total: counts?.customers },
    { label: t`Team`, filter: teamFilter, total: counts?.team ?? undefined },
  ];
};

const sums = { read: sumRows, columns: { spent: "total" }, isPerCurrency: true } as const;

type Asking = { users: User[]; clear?: () => void };

const texts: ListTexts = {
  search: t`Search users`,
  searchHint: t`Email, name, external ID or number`,
  export: t`Export users`,
  count: (total) => plural(total, { one: "# user", other: "# users" }),
  empty: {
    title: t`No users yet`,
    help: t`Customers are added when they buy. Invite your team members.`,
  },
};

const Users = () => {
  const mayWrite = useMay("users:write");
  const views = useViews();
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <ListScreen
        name="users"
        mainDate="createdAt"
        sums={sums}
        title={t`Users`}
        texts={texts}
        fields={userListFields}
        fieldLabels={fieldLabels}
        columns={columns}
        views={views}
        read={readUsers}
        readOne={readUser}
        linkOf={linkOf}
        labelOf={nameOf}
        menuOf={(user, onPreview) => (
          <UserMenu
            user={user}
            onPreview={onPreview}
            onSuspend={() => setAsking({ users: [user] })}
          />
        )}
        previewOf={(user) => (
          <Suspense>
            <Overview user={user} />
          </Suspense>
        )}
        bulkOf={(users, clear) => (
          <Bulk
            users={users}
            clear={clear}
            onSuspend={(meant) => setAsking({ users: meant, clear })}
          />
        )}
        file={{ path: exportUsers.path, permission: exportUsers.permission, columns: userColumns }}
        actions={<ImportLink kind="customers" />}
        create={mayWrite ? { to: "/users/create", label: t`New user` } : null}
      />
      <Suspense>
        {asking && (
          <SuspendDialog
            users={asking.users}
            onClose={close}
            onDone={() => {
              asking.clear?.();
              close();
            }}
          />
        )}
      </Suspense>
    </>
  );
};

export const UserList = () =>
  useMay("users:read") ? <Users /> : <Forbidden permission="users:read" />;
