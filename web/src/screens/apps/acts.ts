import { activateApp, actOnApps, archiveApp, restoreApp } from "@purser/contract/apps";
import { call } from "#lib/call.ts";
import { lifeActs } from "#ui/lifecycleActions.ts";
import { type App, appSaved, appsChanged } from "./queries.ts";

const endpoints = { activate: activateApp, archive: archiveApp, restore: restoreApp };

export const { activate, archive, restore, actOnMany } = lifeActs<App>({
  one: "app",
  act: (act, { id, version }) => call(endpoints[act], { params: { id }, version, body: {} }),
  actOnMany: (act, apps) => call(actOnApps, { body: { act, apps } }),
  onSaved: appSaved,
  onChanged: () => void appsChanged(),
});
