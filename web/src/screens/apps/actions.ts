import { activateApp, actOnApps, archiveApp, restoreApp } from "@purser/contract/apps/endpoints";
import { call } from "#lib/api/call.ts";
import { lifecycleActions } from "#ui/record/lifecycleActions.ts";
import { type App, appSaved, appsChanged } from "./queries.ts";

const endpoints = { activate: activateApp, archive: archiveApp, restore: restoreApp };

export const { activate, archive, restore, applyToMany } = lifecycleActions<App>({
  one: "app",
  act: (act, { id, version }) => call(endpoints[act], { params: { id }, version, body: {} }),
  applyToMany: (act, apps) => call(actOnApps, { body: { act, apps } }),
  onSaved: appSaved,
  onChanged: () => void appsChanged(),
});
