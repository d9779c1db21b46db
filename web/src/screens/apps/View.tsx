import "./apps.css";
import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { RecordComments } from "#ui/comments/RecordComments.tsx";
import { Icon, Tile } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { appStatus } from "#ui/record/appStatus.ts";
import { LifeButton } from "#ui/record/lifecycle.tsx";
import { Raw, RecordActions } from "#ui/record/Record.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { AppActivity } from "./Activity.tsx";
import { AppTabs } from "./AppTabs.tsx";
import { restore, resume } from "./actions.ts";
import type { AppAsking } from "./dialogs.tsx";
import { Features } from "./Features.tsx";
import { Keys } from "./keys/Keys.tsx";
import { Overview } from "./Overview.tsx";
import { type App, appQuery } from "./queries.ts";
import type { AppTab } from "./tabs.ts";

const Integration = part(async () => (await import("./integration/Integration.tsx")).Integration);
const AppDialog = part(async () => (await import("./dialogs.tsx")).AppDialog);

type Asked = AppAsking["about"];

const SuspensionButton = ({ app, onAsk }: { app: App; onAsk: (asked: Asked) => void }) =>
  app.suspendedAt === null ? (
    <Button
      variant="default"
      leftSection={<Icon name="player-pause" />}
      onClick={() => onAsk("suspend")}
    >
      {t`Suspend app`}
    </Button>
  ) : (
    <Button
      variant="default"
      leftSection={<Icon name="player-play" />}
      onClick={() => attempt(() => resume(app))}
    >
      {t`Resume app`}
    </Button>
  );

/** Since when no customer has access, above everything else on the page. */
const Suspended = ({ since }: { since: string }) => (
  <div>
    <Callout tone="bad" icon="player-pause">
      <Trans>
        Suspended <Moment at={since} />. No customer can use this app until you resume it.
      </Trans>
    </Callout>
  </div>
);

const Actions = ({ app, onAsk }: { app: App; onAsk: (asked: Asked) => void }) => {
  const maySuspend = useMay("apps:suspend");
  const { id, status, codeFrozen } = app;
  return (
    <RecordActions
      step={
        <>
          <LifeButton status={status} onAsk={onAsk} onRestore={() => restore(app)} />
          {maySuspend && status !== "draft" && <SuspensionButton app={app} onAsk={onAsk} />}
        </>
      }
      edit={status === "archived" ? null : { to: "/apps/edit/$id", params: { id } }}
      duplicate={{ to: "/apps/create", search: { from: id } }}
      onDelete={status === "draft" && !codeFrozen ? () => onAsk("delete") : null}
    />
  );
};

const Columns = ({ app, tab }: { app: App; tab: AppTab | undefined }) => (
  <div className="record-columns">
    <div className="record-main">
      {tab === undefined && app.suspendedAt && <Suspended since={app.suspendedAt} />}
      {tab === undefined && <Keys app={app} />}
      {tab === undefined && <Features app={app} />}
      {tab === "activity" && (
        <>
          <RecordComments entity="apps" id={app.id} />
          <AppActivity app={app} />
        </>
      )}
      {tab === "raw" && <Raw record={app} />}
    </div>
    <aside className="record-rail">
      <Overview app={app} />
    </aside>
  </div>
);

const Shown = ({ app }: { app: App }) => {
  const { tab } = useSearch({ from: "/apps/view/$id" });
  const navigate = useNavigate();
  const mayWrite = useMay("apps:write");
  const [asked, setAsked] = useState<Asked | null>(null);
  const { id, name, icon, keys } = app;
  useEffect(
    () => rememberRecord({ path: `/apps/view/${id}`, label: name, icon }),
    [id, name, icon],
  );
  return (
    <div className="record">
      <PageHead
        title={name}
        parent={{ label: t`Apps`, to: "/apps" }}
        heading={
          <>
            <Tile icon={icon} size={40} />
            <span>{name}</span>
          </>
        }
        meta={<Status status={appStatus(app)} loud />}
        facts={
          <>
            <Reference value={app.code} copyLabel={t`Copy code`} />
            <span className="dot" />
            {plural(keys, { one: "# active API key", other: "# active API keys" })}
          </>
        }
        {...(mayWrite && { actions: <Actions app={app} onAsk={setAsked} /> })}
      />
      <AppTabs current={tab} />
      {tab === "integration" ? (
        <Suspense>
          <Integration app={app} />
        </Suspense>
      ) : (
        <Columns app={app} tab={tab} />
      )}
      <Suspense>
        {asked && (
          <AppDialog
            asking={{ about: asked, records: [app] } as AppAsking}
            onClose={() => setAsked(null)}
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
  if (!mayRead) return <Forbidden permission="apps:read" />;
  if (error && !app) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return app ? <Shown app={app} /> : <RecordSkeleton />;
};
