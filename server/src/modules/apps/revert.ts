import { archiveApp, changeApp, deleteApp, restoreApp } from "@purser/contract/apps/endpoints";
import { app } from "@purser/contract/apps/fields";
import type { Reverting } from "#platform/audit/revert.ts";
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
