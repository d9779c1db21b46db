import { t } from "@lingui/core/macro";
import { appLabels } from "@purser/contract/apps/fields";
import { getAppActivity } from "@purser/contract/workspace/audit";
import { call } from "#lib/api/call.ts";
import { series } from "#lib/intl.ts";
import { keyKindNames, keyScopeNames, platformNames } from "#lib/labels/apps.ts";
import { labelIn } from "#lib/labels/labelIn.ts";
import { lifecycleStatusNames } from "#lib/labels/lifecycle.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import {
  Activity,
  activityQueryOf,
  type Entry,
  historyLabels,
  type LifecycleEvent,
  lifecycleEventOf,
} from "#ui/record/Activity.tsx";
import type { App } from "./queries.ts";

const eachIn = (labels: Record<string, string>) => (value: unknown) =>
  Array.isArray(value) ? series(value.map(labelIn(labels))) : String(value);

const columnLabels = (app: App, zone: string) => {
  const moment = (value: unknown) => formatExact(zone, new Date(String(value)));
  return historyLabels(appLabels, {
    status: { show: labelIn(lifecycleStatusNames) },
    platforms: { show: eachIn(platformNames) },
    activatedAt: { show: moment },
    suspendedAt: { show: moment },
    appId: { show: () => app.name },
    kind: { label: t`Type`, show: labelIn(keyKindNames) },
    scopes: { label: t`Permissions`, show: eachIn(keyScopeNames) },
    prefix: { label: t`Prefix` },
    origins: { label: t`Origins`, show: eachIn({}) },
    expiresAt: { label: t`Expires`, show: moment },
    revokedAt: { label: t`Revoked`, show: moment },
  });
};

const appTitles: Record<LifecycleEvent, string> = {
  created: t`App created`,
  changed: t`App changed`,
  deleted: t`App deleted`,
  activated: t`App activated`,
  archived: t`App archived`,
  restored: t`App restored`,
};

const keyTitles: Record<Entry["action"], (name: string) => string> = {
  insert: (name) => t`API key ${name} created`,
  update: (name) => t`API key ${name} changed`,
  delete: (name) => t`API key ${name} deleted`,
};

const keyTitleOf = ({ action, changes, label: name }: Entry) => {
  const isRevoked = changes.some(({ field, after }) => field === "revokedAt" && after !== null);
  return action === "update" && isRevoked ? t`API key ${name} revoked` : keyTitles[action](name);
};

const appTitleOf = (entry: Entry) => {
  const suspension = entry.changes.find(({ field }) => field === "suspendedAt");
  if (entry.action !== "update" || !suspension) return appTitles[lifecycleEventOf(entry)];
  return suspension.after === null ? t`App resumed` : t`App suspended`;
};

const titleOf = (entry: Entry) =>
  entry.entity === "app_keys" ? keyTitleOf(entry) : appTitleOf(entry);

const activityQuery = (id: string) =>
  activityQueryOf("apps", id, (query) => call(getAppActivity, { params: { id }, query }));

/** The history of an app and its API keys. */
export const AppActivity = ({ app }: { app: App }) => (
  <Activity
    query={activityQuery(app.id)}
    titleOf={titleOf}
    words={columnLabels(app, useTimeZone())}
  />
);
