import { archiveApp, changeApp, deleteApp, restoreApp } from "@purser/contract/apps/endpoints";
import { app } from "@purser/contract/apps/fields";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
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

export const appRevertAdvice: RevertAdvice = {
  apps: {
    detail: "This part of an app is changed at the app.",
    label: "Open the app",
    pathOf: (id) => `/apps/view/${id}`,
  },
  app_keys: {
    detail: "A key that was revoked may be known to others. Make a new one.",
    label: "Open the app",
    pathOf: (_, row) => (typeof row["app_id"] === "string" ? `/apps/view/${row["app_id"]}` : null),
  },
};
