import { plural, t } from "@lingui/core/macro";
import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { series } from "#lib/intl.ts";
import { keyScopeNames } from "#lib/labels/apps.ts";
import { useMay } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import { kindLabels } from "../labels.ts";
import { type App, type AppKey, keysQuery } from "../queries.ts";

const keyDialogs = () => import("./dialogs.tsx");
const CreateKeyDialog = part(async () => (await keyDialogs()).CreateKeyDialog);
const RevokeKeyDialog = part(async () => (await keyDialogs()).RevokeKeyDialog);
const OriginsDialog = part(async () => (await import("./OriginsDialog.tsx")).OriginsDialog);

const soonDays = 14;

const statusOf = ({ revokedAt, expiresAt }: AppKey, now: number): StatusWord => {
  if (revokedAt) return { word: t`Revoked`, icon: "ban", tone: "mute", quiet: true };
  const days = expiresAt ? (new Date(expiresAt).getTime() - now) / dayMs : Number.POSITIVE_INFINITY;
  if (days <= 0) return { word: t`Expired`, icon: "clock", tone: "mute", quiet: true };
  if (days <= soonDays)
    return {
      word: plural(Math.ceil(days), { one: "Expires in # day", other: "Expires in # days" }),
      icon: "clock-exclamation",
      tone: "warn",
    };
  return { word: t`Active`, icon: "circle-check", tone: "ok", quiet: true };
};

const isOver = ({ revokedAt, expiresAt }: AppKey, now: number) =>
  revokedAt !== null || (expiresAt !== null && new Date(expiresAt).getTime() <= now);

/** A publishable key of an earlier version has no origins, so browsers can't use it yet. */
const Origins = ({ appKey: { kind, origins } }: { appKey: AppKey }) => {
  if (kind === "server") return null;
  return (
    <small className="key-origins">{origins.length > 0 ? series(origins) : t`No origins`}</small>
  );
};

type Actions = { onRevoke: () => void; onOrigins: () => void };

const KeyActions = ({
  appKey: { name, kind },
  onRevoke,
  onOrigins,
}: Actions & { appKey: AppKey }) => (
  <>
    {kind === "publishable" && (
      <ActionIcon
        aria-label={t`Edit origins of ${name}`}
        data-tip={t`Edit origins`}
        onClick={onOrigins}
      >
        <Icon name="pencil" />
      </ActionIcon>
    )}
    <ActionIcon aria-label={t`Revoke ${name}`} data-tip={t`Revoke`} onClick={onRevoke}>
      <Icon name="ban" />
    </ActionIcon>
  </>
);

const KeyRow = ({
  appKey,
  now,
  actions,
}: {
  appKey: AppKey;
  now: number;
  actions: Actions | null;
}) => {
  const over = isOver(appKey, now);
  const { name } = appKey;
  return (
    <tr {...(over && { "data-over": true })}>
      <th scope="row" className="mono">
        {name}
      </th>
      <td className="mono soft">{appKey.prefix}…</td>
      <td className="soft">
        {kindLabels[appKey.kind].label}
        <Origins appKey={appKey} />
      </td>
      <td className="soft key-scopes">
        {series(appKey.scopes.map((scope) => keyScopeNames[scope]))}
      </td>
      <td className="soft">{appKey.lastUsedAt ? <Moment at={appKey.lastUsedAt} /> : t`Never`}</td>
      <td className="soft">{appKey.expiresAt ? <Day at={appKey.expiresAt} /> : t`Never`}</td>
      <td>
        <Status status={statusOf(appKey, now)} />
      </td>
      <td className="actions">{actions && !over && <KeyActions appKey={appKey} {...actions} />}</td>
    </tr>
  );
};

/** The API keys of the app. */
export const Keys = ({ app }: { app: App }) => {
  const mayKey = useMay("apps:keys");
  const { data: keys, error, refetch } = useQuery(keysQuery(app.id));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AppKey | null>(null);
  const [editing, setEditing] = useState<AppKey | null>(null);
  const now = +currentTime();
  if (error && !keys)
    return <Failed title={t`Couldn't load API keys`} error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title={t`API keys`}
      note={t`A key is shown in full only once`}
      actions={
        mayKey && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setCreating(true)}
          >
            {t`New key`}
          </Button>
        )
      }
    >
      {keys?.length === 0 ? (
        <p className="soft">
          {mayKey
            ? t`No API keys yet. Create one so the app can check entitlements.`
            : t`No API keys yet. Ask an owner or admin to create one.`}
        </p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Name`}</th>
                <th scope="col">{t`Prefix`}</th>
                <th scope="col">{t`Type`}</th>
                <th scope="col">{t`Permissions`}</th>
                <th scope="col">{t`Last used`}</th>
                <th scope="col">{t`Expires`}</th>
                <th scope="col">{t`Status`}</th>
                <th scope="col">
                  <span className="unseen">{t`Actions`}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys?.map((key) => (
                <KeyRow
                  key={key.id}
                  appKey={key}
                  now={now}
                  actions={
                    mayKey
                      ? { onRevoke: () => setRevoking(key), onOrigins: () => setEditing(key) }
                      : null
                  }
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Suspense>
        {creating && <CreateKeyDialog app={app} onClose={() => setCreating(false)} />}
        {editing && <OriginsDialog app={app} appKey={editing} onClose={() => setEditing(null)} />}
        {revoking && (
          <RevokeKeyDialog app={app} appKey={revoking} onClose={() => setRevoking(null)} />
        )}
      </Suspense>
    </Section>
  );
};
