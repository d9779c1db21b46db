import { t } from "@lingui/core/macro";
import { appLabels } from "@purser/contract/apps/fields";
import { getAppActivity } from "@purser/contract/workspace/audit";
import { call } from "#lib/api/call.ts";
import {
  Activity,
  activityQueryOf,
  type Entry,
  historyLabels,
  type LifecycleEvent,
  lifecycleEventOf,
} from "#ui/record/Activity.tsx";

const columnLabels = historyLabels(appLabels, {
  kind: { label: t`Type` },
  scopes: { label: t`Permissions` },
  prefix: { label: t`Prefix` },
  expiresAt: { label: t`Expires` },
  revokedAt: { label: t`Revoked` },
});

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

const titleOf = (entry: Entry) =>
  entry.entity === "app_keys" ? keyTitleOf(entry) : appTitles[lifecycleEventOf(entry)];

const activityQuery = (id: string) =>
  activityQueryOf("apps", id, (query) => call(getAppActivity, { params: { id }, query }));

/** The history of an app and its API keys. */
export const AppActivity = ({ id }: { id: string }) => (
  <Activity query={activityQuery(id)} titleOf={titleOf} words={columnLabels} />
);
