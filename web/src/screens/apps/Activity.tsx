import { appLabels } from "@purser/contract/apps/fields";
import { getAppActivity } from "@purser/contract/workspace/audit";
import { call } from "#lib/api/call.ts";
import {
  Activity,
  activityQueryOf,
  type Entry,
  historyLabels,
  lifeDeedOf,
} from "#ui/record/Activity.tsx";

const columnLabels = historyLabels(appLabels, {
  kind: { label: "Kind" },
  scopes: { label: "May" },
  prefix: { label: "Starts with" },
  expiresAt: { label: "Expires" },
  revokedAt: { label: "Revoked" },
});

const keyVerbs = { insert: "made", update: "changed", delete: "deleted" } as const;

const keyDeedOf = ({ action, changes, label }: Entry) => {
  const isRevoked = changes.some(({ field, after }) => field === "revokedAt" && after !== null);
  const verb = action === "update" && isRevoked ? "revoked" : keyVerbs[action];
  return `${verb} the key ${label}`;
};

const deedOf = (entry: Entry) =>
  entry.entity === "app_keys" ? keyDeedOf(entry) : lifeDeedOf(entry, "the app");

const activityQuery = (id: string) =>
  activityQueryOf("apps", id, (query) => call(getAppActivity, { params: { id }, query }));

/** The history of an app and its API keys. */
export const AppActivity = ({ id }: { id: string }) => (
  <Activity query={activityQuery(id)} deedOf={deedOf} words={columnLabels} />
);
