import "./webhooks.css";
import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "#ui/Icon.tsx";
import { Empty, Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { type EndpointAction, EndpointActionDialog } from "./EndpointActionDialog.tsx";
import { Endpoints } from "./Endpoints.tsx";
import { Log } from "./Log.tsx";
import { endpointsQuery } from "./queries.ts";

const EndpointDialog = part(async () => (await import("./EndpointDialog.tsx")).EndpointDialog);

const CreateButton = ({ onClick }: { onClick: () => void }) => (
  <Button leftSection={<Icon name="plus" />} onClick={onClick}>
    {t`New endpoint`}
  </Button>
);

const Loading = () => (
  <div role="status" aria-label={t`Loading`} className="webhooks-loading">
    {["64%", "88%", "40%"].map((width) => (
      <span key={width} className="skeleton" style={{ width }} />
    ))}
  </div>
);

const WebhookScreen = () => {
  const mayWrite = useMay("webhooks:write");
  const { data: endpoints, error, refetch } = useQuery(endpointsQuery);
  const [creating, setCreating] = useState(false);
  const [action, setAction] = useState<EndpointAction | null>(null);
  const create = () => setCreating(true);
  useShortcuts(
    mayWrite ? [{ keys: "c", does: t`New endpoint`, group: "records", run: create }] : [],
  );
  const isEmpty = endpoints?.length === 0;
  return (
    <div className="record">
      <PageHead
        title={t`Webhooks`}
        actions={mayWrite && !isEmpty && <CreateButton onClick={create} />}
      />
      <div className="record-main webhooks">
        {error && !endpoints ? (
          <Failed
            title={t`Couldn't load webhook endpoints`}
            error={error}
            onRetry={() => refetch()}
          />
        ) : isEmpty ? (
          <Empty
            title={t`No endpoints yet`}
            actions={mayWrite && <CreateButton onClick={create} />}
          >
            <p>
              {t`Get signed events, in order, when entitlements, subscriptions or transactions change.`}
            </p>
          </Empty>
        ) : (
          <Section title={t`Endpoints`} note={t`Events are sent within seconds`}>
            {endpoints ? <Endpoints endpoints={endpoints} onAsk={setAction} /> : <Loading />}
          </Section>
        )}
        {endpoints && !isEmpty && <Log endpoints={endpoints} />}
      </div>
      <Suspense>
        {creating && <EndpointDialog onClose={() => setCreating(false)} />}
        {action && <EndpointActionDialog {...action} onClose={() => setAction(null)} />}
      </Suspense>
    </div>
  );
};

export const Webhooks = () =>
  useMay("webhooks:read") ? <WebhookScreen /> : <Forbidden permission="webhooks:read" />;
