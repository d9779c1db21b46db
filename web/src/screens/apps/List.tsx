import { Button } from "@mantine/core";
import { appFields } from "@purser/contract/apps";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Forbidden } from "#ui/Empty.tsx";
import { Icon, Tile } from "#ui/Icon.tsx";
import type { Column } from "#ui/list/columns.ts";
import type { ListContext, View } from "#ui/list/declaration.ts";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { Moment } from "#ui/Moment.tsx";
import { part } from "#ui/part.tsx";
import { Status } from "#ui/Status.tsx";
import { attempt } from "#ui/toast.ts";
import "./apps.css";
import { actOnMany } from "./acts.tsx";
import { Overview } from "./Overview.tsx";
import { type App, countsQuery, linkOf, readApp, readApps } from "./queries.ts";
import type { Asking } from "./RowMenu.tsx";
import { fieldWords, platformsOf, statusWords } from "./words.ts";

// Most visits only look: what asks or exports comes when it is wanted.
const RowMenu = part(async () => (await import("./RowMenu.tsx")).RowMenu);
const dialogs = () => import("./dialogs.tsx");
const ArchiveDialog = part(async () => (await dialogs()).ArchiveDialog);
const ActivateDialog = part(async () => (await dialogs()).ActivateDialog);
const DeleteDialog = part(async () => (await dialogs()).DeleteDialog);
const ExportDialog = part(async () => (await import("./ExportDialog.tsx")).ExportDialog);

const columns: Column<App>[] = [
  {
    id: "name",
    label: "App",
    sort: "name",
    width: 260,
    cell: ({ name, icon, description }) => (
      <span className="app-name">
        <Tile icon={icon} />
        <span>
          <b>{name}</b>
          <small>{description}</small>
        </span>
      </span>
    ),
  },
  {
    id: "code",
    label: "Code",
    sort: "code",
    width: 160,
    card: "field",
    cell: ({ code }) => <span className="mono soft">{code}</span>,
  },
  {
    id: "status",
    label: "Status",
    sort: "status",
    width: 120,
    card: "status",
    cell: ({ status }) => <Status status={statusWords[status]} />,
  },
  {
    id: "platforms",
    label: "Platforms",
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
    cell: ({ keys }) => (keys === 0 ? <span className="softer">0</span> : keys),
  },
  {
    id: "updatedAt",
    label: "Changed",
    sort: "updatedAt",
    width: 140,
    card: "field",
    cell: ({ updatedAt }) => (
      <span className="soft">
        <Moment at={updatedAt} />
      </span>
    ),
  },
  {
    id: "createdAt",
    label: "Created",
    sort: "createdAt",
    width: 140,
    spare: true,
    cell: ({ createdAt }) => (
      <span className="soft">
        <Moment at={createdAt} />
      </span>
    ),
  },
  {
    id: "supportEmail",
    label: "Support mail",
    width: 220,
    spare: true,
    cell: ({ supportEmail }) => <span className="soft">{supportEmail ?? "–"}</span>,
  },
];

type Exporting = Omit<ListContext, "selected"> & { selected: string[] };

type BulkProps = { apps: App[]; clear: () => void; onAsk: (asking: Asking) => void };

const Bulk = ({ apps, clear, onAsk }: BulkProps) => {
  const mayWrite = useMay("apps:write");
  const inState = (status: App["status"]) => apps.filter((app) => app.status === status);
  const drafts = inState("draft");
  const active = inState("active");
  const archived = inState("archived");
  if (!mayWrite) return <span>You may look at these, not change them.</span>;
  return (
    <>
      {drafts.length > 0 && (
        <button type="button" onClick={() => onAsk({ about: "activate", apps: drafts, clear })}>
          <Icon name="player-play" />
          Activate {drafts.length}
        </button>
      )}
      {active.length > 0 && (
        <button type="button" onClick={() => onAsk({ about: "archive", apps: active, clear })}>
          <Icon name="archive" />
          Archive {active.length}
        </button>
      )}
      {archived.length > 0 && (
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              await actOnMany("restore", archived);
              clear();
            })
          }
        >
          <Icon name="archive-off" />
          Restore {archived.length}
        </button>
      )}
    </>
  );
};

const CreateButton = () => (
  <Button component={Link} to="/apps/create" leftSection={<Icon name="plus" />}>
    New app
  </Button>
);

const Asked = ({ asking, onClose }: { asking: Asking; onClose: () => void }) => {
  if (asking.about === "delete")
    return <DeleteDialog app={asking.app} onClose={onClose} onDeleted={() => undefined} />;
  const About = asking.about === "archive" ? ArchiveDialog : ActivateDialog;
  const done = () => {
    asking.clear?.();
    onClose();
  };
  return <About apps={asking.apps} onClose={onClose} onDone={done} />;
};

const useViews = (): View[] => {
  const { data } = useQuery(countsQuery);
  const parts = data && Object.values(data);
  const all = parts && {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    kind: parts.find(({ kind }) => kind !== "exact")?.kind ?? "exact",
  };
  return [
    { label: "All", filter: null, total: all },
    { label: "Active", filter: "status:any:active", total: data?.active },
    { label: "Draft", filter: "status:any:draft", total: data?.draft },
    { label: "Archived", filter: "status:any:archived", total: data?.archived },
  ];
};

const Apps = () => {
  const mayWrite = useMay("apps:write");
  const navigate = useNavigate();
  const views = useViews();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [exporting, setExporting] = useState<Exporting | null>(null);
  useShortcuts(
    mayWrite
      ? [
          {
            keys: "c",
            does: "New app",
            group: "Lists",
            run: () => navigate({ to: "/apps/create" }),
          },
        ]
      : [],
  );
  return (
    <>
      <ListScreen
        name="apps"
        title="Apps"
        words={{ one: "app", many: "apps", search: "Name or code" }}
        fields={appFields}
        fieldWords={fieldWords}
        columns={columns}
        views={views}
        read={readApps}
        readOne={readApp}
        linkOf={linkOf}
        labelOf={({ name }) => name}
        menuOf={(app, onPreview) => <RowMenu app={app} onPreview={onPreview} onAsk={setAsking} />}
        previewOf={(app) => <Overview app={app} />}
        bulkOf={(apps, clear) => <Bulk apps={apps} clear={clear} onAsk={setAsking} />}
        acts={({ selected, ...context }) => (
          <>
            <Button
              variant="default"
              className="wide-only"
              leftSection={<Icon name="download" />}
              onClick={() => setExporting({ ...context, selected: selected() })}
            >
              Export
            </Button>
            {mayWrite && <CreateButton />}
          </>
        )}
        empty={{
          text: "An app is something you sell: people get it in packages, and its own code asks Purser what they may use.",
          acts: mayWrite && <CreateButton />,
        }}
      />
      <Suspense>
        {asking && <Asked asking={asking} onClose={() => setAsking(null)} />}
        {exporting && <ExportDialog {...exporting} onClose={() => setExporting(null)} />}
      </Suspense>
    </>
  );
};

export const AppList = () =>
  useMay("apps:read") ? <Apps /> : <Forbidden what="apps" permission="Apps: read" />;
