import { plural, t } from "@lingui/core/macro";
import {
  activateApp,
  archiveApp,
  bulkApps,
  restoreApp,
  resumeApp,
} from "@purser/contract/apps/endpoints";
import { call } from "#lib/api/call.ts";
import { toast } from "#ui/popups/toast.ts";
import { lifecycleActions } from "#ui/record/lifecycleActions.ts";
import { type App, appSaved, appsChanged } from "./queries.ts";

const endpoints = { activate: activateApp, archive: archiveApp, restore: restoreApp };

export const { activate, archive, restore, applyToMany } = lifecycleActions<App>({
  doneText: {
    activate: (count) => plural(count, { one: "# app activated", other: "# apps activated" }),
    archive: (count) => plural(count, { one: "# app archived", other: "# apps archived" }),
    restore: (count) => plural(count, { one: "# app restored", other: "# apps restored" }),
  },
  apply: (action, { id, version }) =>
    call(endpoints[action], { params: { id }, version, body: {} }),
  applyToMany: (action, apps) => call(bulkApps, { body: { action, apps } }),
  onSaved: appSaved,
  onChanged: () => void appsChanged(),
});

/** Ends a suspension. It removes nothing, so it needs no confirmation. */
export const resume = async ({ id, version, name }: App) => {
  appSaved(await call(resumeApp, { params: { id }, version, body: {} }));
  toast(t`App ${name} resumed`);
};
