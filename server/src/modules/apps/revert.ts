import { archiveApp, changeApp, deleteApp, restoreApp } from "@purser/contract/apps/endpoints";
import { app } from "@purser/contract/apps/fields";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";
import { findApp } from "./queries.ts";

export const revertingApps: Reverting = {
  entity: "apps",
  find: findApp,
  reply: app,
  change: changeApp,
  remove: deleteApp,
  archive: archiveApp,
  restore: restoreApp,
};

const label = message("open_app", "Open app");

export const appRevertAdvice: RevertAdvice = {
  apps: {
    detail: message("revert_app", "This change can't be reverted here. Open the app instead."),
    label,
    pathOf: (id) => `/apps/view/${id}`,
  },
  app_keys: {
    detail: message(
      "revert_app_key",
      "Changes to API keys can't be reverted. Create a new key instead.",
    ),
    label,
    pathOf: (_, row) => (typeof row["app_id"] === "string" ? `/apps/view/${row["app_id"]}` : null),
  },
};
