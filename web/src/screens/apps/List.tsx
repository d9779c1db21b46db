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
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { Forbidden } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { type Asking, LifeBulk, lifeLabels, lifeViews } from "#ui/record/lifecycle.tsx";
import { Status } from "#ui/Status.tsx";
import { applyToMany } from "./actions.ts";
import { fieldWords, platformsOf } from "./labels.ts";
import { type App, countsQuery, linkOf, readApp, readApps } from "./queries.ts";

// Loaded on demand: most visits to the list open no menu and no dialog.
const Overview = part(async () => (await import("./Overview.tsx")).Overview);
const AppMenu = part(async () => (await import("./RowMenu.tsx")).AppMenu);
const AppDialog = part(async () => (await import("./dialogs.tsx")).AppDialog);

const columns: Column<App, typeof appListFields>[] = [
  {
    id: "name",
    label: "App",
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
    width: 120,
    card: "status",
    cell: ({ status }) => <Status status={lifeLabels[status]} />,
  },
  {
    id: "platforms",
    width: 190,
    priority: 3,
    cell: ({ platforms }) => <span className="soft">{platformsOf(platforms)}</span>,
  },
  {
    id: "keys",
    label: "Keys",
    width: 72,
    align: "end",
    priority: 2,
    cell: ({ keys }) => <Count of={keys} />,
  },
  updatedColumn({ width: 140, card: "field" }),
  createdColumn(),
];

const Apps = () => {
  const mayWrite = useMay("apps:write");
  const { data: counts } = useQuery(countsQuery);
  const [asking, setAsking] = useState<Asking<App> | null>(null);
  return (
    <>
      <ListScreen
        name="apps"
        title="Apps"
        words={{ one: "app", many: "apps", search: "Name or code" }}
        fields={appListFields}
        fieldWords={fieldWords}
        columns={columns}
        views={lifeViews(counts)}
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
        file={{ path: exportApps.path, columns: appColumns }}
        create={mayWrite ? { to: "/apps/create", label: "New app" } : null}
        empty="An app is something you sell: people get it in packages, and its own code asks Purser what they may use."
      />
      <Suspense>{asking && <AppDialog asking={asking} onClose={() => setAsking(null)} />}</Suspense>
    </>
  );
};

export const AppList = () =>
  useMay("apps:read") ? <Apps /> : <Forbidden what="apps" permission="Apps: read" />;
