import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { count } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import { kindLabels, scopeVerbs } from "../labels.ts";
import { type App, type AppKey, keysQuery } from "../queries.ts";

const keyDialogs = () => import("./dialogs.tsx");
const CreateKeyDialog = part(async () => (await keyDialogs()).CreateKeyDialog);
const RevokeKeyDialog = part(async () => (await keyDialogs()).RevokeKeyDialog);

const soonDays = 14;

const statusOf = ({ revokedAt, expiresAt }: AppKey, now: number): StatusWord => {
  if (revokedAt) return { word: "Revoked", icon: "ban", tone: "mute", quiet: true };
  const days = expiresAt ? (new Date(expiresAt).getTime() - now) / dayMs : Number.POSITIVE_INFINITY;
  if (days <= 0) return { word: "Expired", icon: "clock", tone: "mute", quiet: true };
  if (days <= soonDays)
    return {
      word: `Expires in ${count(Math.ceil(days), "day")}`,
      icon: "clock-exclamation",
      tone: "warn",
    };
  return { word: "Active", icon: "circle-check", tone: "ok", quiet: true };
};

const isOver = ({ revokedAt, expiresAt }: AppKey, now: number) =>
  revokedAt !== null || (expiresAt !== null && new Date(expiresAt).getTime() <= now);

const KeyRow = ({
  appKey,
  now,
  onRevoke,
}: {
  appKey: AppKey;
  now: number;
  onRevoke: (() => void) | null;
}) => {
  const over = isOver(appKey, now);
  return (
    <tr {...(over && { "data-over": true })}>
      <th scope="row" className="mono">
        {appKey.name}
      </th>
      <td className="mono soft">{appKey.prefix}…</td>
      <td className="soft">{kindLabels[appKey.kind].label}</td>
      <td className="soft">{appKey.scopes.map((scope) => scopeVerbs[scope]).join(", ")}</td>
      <td className="soft">{appKey.lastUsedAt ? <Moment at={appKey.lastUsedAt} /> : "never"}</td>
      <td className="soft">{appKey.expiresAt ? <Day at={appKey.expiresAt} /> : "never"}</td>
      <td>
        <Status status={statusOf(appKey, now)} />
      </td>
      <td className="acts">
        {onRevoke && !over && (
          <ActionIcon aria-label={`Revoke ${appKey.name}`} data-tip="Revoke" onClick={onRevoke}>
            <Icon name="ban" />
          </ActionIcon>
        )}
      </td>
    </tr>
  );
};

/** The API keys of the app. */
export const Keys = ({ app }: { app: App }) => {
  const mayKey = useMay("apps:keys");
  const { data: keys, error, refetch } = useQuery(keysQuery(app.id));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AppKey | null>(null);
  const now = Date.now();
  if (error && !keys) return <Failed what="The keys" error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title="App keys"
      note="a key is shown in full once, when it is made"
      acts={
        mayKey &&
        app.status !== "archived" && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setCreating(true)}
          >
            New key
          </Button>
        )
      }
    >
      {keys?.length === 0 ? (
        <p className="soft">
          No key yet. The app's own code needs one to ask what its users may use.
          {!mayKey && " Ask an owner or an admin to make one."}
        </p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Starts with</th>
                <th scope="col">Kind</th>
                <th scope="col">May</th>
                <th scope="col">Last used</th>
                <th scope="col">Expires</th>
                <th scope="col">Status</th>
                <th scope="col">
                  <span className="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys?.map((key) => (
                <KeyRow
                  key={key.id}
                  appKey={key}
                  now={now}
                  onRevoke={mayKey ? () => setRevoking(key) : null}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Suspense>
        {creating && <CreateKeyDialog app={app} onClose={() => setCreating(false)} />}
        {revoking && (
          <RevokeKeyDialog app={app} appKey={revoking} onClose={() => setRevoking(null)} />
        )}
      </Suspense>
    </Section>
  );
};
