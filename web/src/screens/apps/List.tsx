import { plural, t } from "@lingui/core/macro";
import { exportApps } from "@purser/contract/apps/endpoints";
import { appColumns, appListFields } from "@purser/contract/apps/fields";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { Tile } from "#ui/Icon.tsx";
import type { Column } from "#ui/list/columns/columns.ts";
import {
  Count,
  codeColumn,
  createdColumn,
  updatedColumn,
} from "#ui/list/columns/sharedColumns.tsx";
import type { ListTexts } from "#ui/list/declaration.ts";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { appStatus } from "#ui/record/appStatus.ts";
import type { BulkProps } from "#ui/record/LifeBulk.tsx";
import { lifeViews } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { applyToMany } from "./actions.ts";
import type { AppAsking } from "./dialogs.tsx";
import { fieldLabels, platformsOf } from "./labels.ts";
import { type App, countsQuery, linkOf, readApp, readApps } from "./queries.ts";

// Loaded on demand: most visits to the list open no menu and no dialog.
const LifeBulk = part<BulkProps<App>>(
  async () => (await import("#ui/record/LifeBulk.tsx")).LifeBulk,
);
const Overview = part(async () => (await import("./Overview.tsx")).Overview);
const AppMenu = part(async () => (await import("./RowMenu.tsx")).AppMenu);
const AppDialog = part(async () => (await import("./dialogs.tsx")).AppDialog);

const columns: Column<App, typeof appListFields>[] = [
  {
    id: "name",
    label: t`App`,
    sort: "name",
    width: 260,
    cell: ({ name, icon, description }) => (
      <span className="named">
        <Tile icon={icon} />
        <span>
          <b>{name}</b>
          <small>{description}</small>
        </span>
      </span>
    ),
  },
  codeColumn({ card: "field" }),
  {
    id: "status",
    sort: "status",
    width: 176,
    card: "status",
    cell: (app) => <Status status={appStatus(app)} />,
  },
  {
    id: "platforms",
    width: 190,
    priority: 3,
    cell: ({ platforms }) => <span className="soft">{platformsOf(platforms)}</span>,
  },
  {
    id: "keys",
    label: t`Keys`,
    width: 72,
    align: "end",
    priority: 2,
    cell: ({ keys }) => <Count of={keys} />,
  },
  updatedColumn({ card: "field" }),
  createdColumn(),
];

const texts: ListTexts = {
  search: t`Search apps`,
  searchHint: t`Name or code`,
  export: t`Export apps`,
  count: (total) => plural(total, { one: "# app", other: "# apps" }),
  empty: {
    title: t`No apps yet`,
    help: t`An app is a product you sell. Packages bundle its features.`,
  },
};

const Apps = () => {
  const mayWrite = useMay("apps:write");
  const { data: counts } = useQuery(countsQuery);
  const [asking, setAsking] = useState<AppAsking | null>(null);
  return (
    <>
      <ListScreen
        name="apps"
        title={t`Apps`}
        texts={texts}
        fields={appListFields}
        fieldLabels={fieldLabels}
        columns={columns}
        views={[...lifeViews(counts), { label: t`Suspended`, filter: "isSuspended:is:true" }]}
        read={readApps}
        readOne={readApp}
        linkOf={linkOf}
        labelOf={({ name }) => name}
        menuOf={(app, onPreview) => <AppMenu app={app} onPreview={onPreview} onAsk={setAsking} />}
        previewOf={(app) => (
          <Suspense>
            <Overview app={app} />
          </Suspense>
        )}
        bulkOf={(apps, clear) => (
          <LifeBulk
            records={apps}
            clear={clear}
            mayWrite={mayWrite}
            onAsk={setAsking}
            onRestore={(archived) => applyToMany("restore", archived)}
          />
        )}
        file={{ path: exportApps.path, permission: exportApps.permission, columns: appColumns }}
        create={mayWrite ? { to: "/apps/create", label: t`New app` } : null}
      />
      <Suspense>{asking && <AppDialog asking={asking} onClose={() => setAsking(null)} />}</Suspense>
    </>
  );
};

export const AppList = () =>
  useMay("apps:read") ? <Apps /> : <Forbidden permission="apps:read" />;
