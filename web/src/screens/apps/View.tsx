import "./apps.css";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { rememberRecord } from "#lib/recent.ts";
import { useMay } from "#lib/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { count } from "#lib/words.ts";
import { Forbidden } from "#ui/Empty.tsx";
import { Icon, Tile } from "#ui/Icon.tsx";
import { PageHead, RecordSkeleton } from "#ui/Page.tsx";
import { Popup } from "#ui/Popup.tsx";
import { part } from "#ui/part.tsx";
import { Reference } from "#ui/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { Tab } from "#ui/Tab.tsx";
import { attempt } from "#ui/toast.ts";
import { Activity } from "./Activity.tsx";
import { restore } from "./acts.tsx";
import { Keys } from "./Keys.tsx";
import { Missing } from "./Missing.tsx";
import { Overview } from "./Overview.tsx";
import { type App, appQuery } from "./queries.ts";
import { statusWords } from "./words.ts";

const dialogs = () => import("./dialogs.tsx");
const ArchiveDialog = part(async () => (await dialogs()).ArchiveDialog);
const ActivateDialog = part(async () => (await dialogs()).ActivateDialog);
const DeleteDialog = part(async () => (await dialogs()).DeleteDialog);

type Asked = "archive" | "activate" | "delete" | null;

/** The next step in an app's life. */
const StateButton = ({ app, onAsk }: { app: App; onAsk: (asked: Asked) => void }) => {
  if (app.status === "draft")
    return (
      <Button
        variant="default"
        leftSection={<Icon name="player-play" />}
        onClick={() => onAsk("activate")}
      >
        Activate
      </Button>
    );
  if (app.status === "active")
    return (
      <Button
        variant="default"
        leftSection={<Icon name="archive" />}
        onClick={() => onAsk("archive")}
      >
        Archive
      </Button>
    );
  return (
    <Button leftSection={<Icon name="archive-off" />} onClick={() => attempt(() => restore(app))}>
      Restore
    </Button>
  );
};

const Acts = ({ app, onAsk }: { app: App; onAsk: (asked: Asked) => void }) => {
  const { id } = app;
  const navigate = useNavigate();
  const canEdit = app.status !== "archived";
  const [more, setMore] = useState(false);
  useShortcuts(
    canEdit
      ? [
          {
            keys: "e",
            does: "Edit app",
            group: "Records and forms",
            run: () => navigate({ to: "/apps/edit/$id", params: { id } }),
          },
        ]
      : [],
  );
  return (
    <>
      <StateButton app={app} onAsk={onAsk} />
      {canEdit && (
        <Button
          component={Link}
          to="/apps/edit/$id"
          params={{ id } as never}
          leftSection={<Icon name="pencil" />}
        >
          Edit
        </Button>
      )}
      <Popup
        kind="menu"
        label="More actions"
        opened={more}
        onClose={() => setMore(false)}
        place="bottom-end"
        width={200}
        trigger={
          <ActionIcon
            variant="default"
            size={32}
            aria-label="More actions"
            aria-haspopup="menu"
            aria-expanded={more}
            onClick={() => setMore(!more)}
          >
            <Icon name="dots" />
          </ActionIcon>
        }
      >
        {() => (
          <>
            <Menu.Item
              leftSection={<Icon name="copy" />}
              onClick={() => navigate({ to: "/apps/create", search: { from: id } })}
            >
              Duplicate
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="link" />}
              onClick={() => attempt(() => navigator.clipboard.writeText(location.href))}
            >
              Copy link
            </Menu.Item>
            {app.status === "draft" && !app.codeFrozen && (
              <>
                <Menu.Divider />
                <Menu.Item
                  data-tone="bad"
                  leftSection={<Icon name="trash" />}
                  onClick={() => onAsk("delete")}
                >
                  Delete
                </Menu.Item>
              </>
            )}
          </>
        )}
      </Popup>
    </>
  );
};

const tabs = [
  { name: undefined, label: "Overview" },
  { name: "activity", label: "Activity" },
  { name: "raw", label: "Raw" },
] as const;

const Tabs = ({ current }: { current: string | undefined }) => (
  <nav className="tabs" aria-label="Views of this app">
    {tabs.map(({ name, label }) => (
      <Tab key={label} search={name ? { tab: name } : {}} isCurrent={current === name}>
        {label}
      </Tab>
    ))}
  </nav>
);

const Raw = ({ app }: { app: App }) => (
  <section>
    <pre className="raw">{JSON.stringify(app, null, 2)}</pre>
  </section>
);

const Shown = ({ app }: { app: App }) => {
  const { tab } = useSearch({ from: "/apps/view/$id" });
  const navigate = useNavigate();
  const mayWrite = useMay("apps:write");
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const { id, name, icon } = app;
  useEffect(
    () => rememberRecord({ path: `/apps/view/${id}`, label: name, icon }),
    [id, name, icon],
  );
  return (
    <div className="record">
      <PageHead
        title={name}
        parent={{ label: "Apps", to: "/apps" }}
        heading={
          <>
            <Tile icon={icon} size={40} />
            <span>{name}</span>
          </>
        }
        meta={<Status status={statusWords[app.status]} loud />}
        facts={
          <>
            <Reference value={app.code} what="the code" />
            <span className="dot" />
            {count(app.keys, "valid key")}
          </>
        }
        {...(mayWrite && { acts: <Acts app={app} onAsk={setAsked} /> })}
      />
      <Tabs current={tab} />
      <div className="record-columns">
        <div className="record-main">
          {tab === undefined && <Keys app={app} />}
          {tab === "activity" && <Activity id={id} />}
          {tab === "raw" && <Raw app={app} />}
        </div>
        <aside className="record-rail">
          <Overview app={app} />
        </aside>
      </div>
      <Suspense>
        {asked === "archive" && <ArchiveDialog apps={[app]} onClose={close} />}
        {asked === "activate" && <ActivateDialog apps={[app]} onClose={close} />}
        {asked === "delete" && (
          <DeleteDialog
            app={app}
            onClose={close}
            onDeleted={() => navigate({ to: "/apps", replace: true })}
          />
        )}
      </Suspense>
    </div>
  );
};

export const ViewApp = () => {
  const { id } = useParams({ from: "/apps/view/$id" });
  const mayRead = useMay("apps:read");
  const { data: app, error, refetch } = useQuery({ ...appQuery(id), enabled: mayRead });
  if (!mayRead) return <Forbidden what="apps" permission="Apps: read" />;
  if (error && !app) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return app ? <Shown app={app} /> : <RecordSkeleton />;
};
