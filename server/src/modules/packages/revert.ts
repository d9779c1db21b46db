import { namesByColumn } from "@purser/contract/fields/declarations";
import {
  archivePackage,
  changePackage,
  deletePackage,
  restorePackage,
} from "@purser/contract/packages/endpoints";
import { packageFields, packageReply } from "@purser/contract/packages/fields";
import type { Reverting } from "#platform/audit/revert.ts";
import { findPackage } from "./queries.ts";

const calls = { find: findPackage, reply: packageReply, change: changePackage };

export const revertingPackages: Reverting = {
  ...calls,
  entity: "packages",
  remove: deletePackage,
  archive: archivePackage,
  restore: restorePackage,
  names: namesByColumn(packageFields),
};

/** Only of a draft: what was published stays as it was sold. */
export const revertingDrafts: Reverting = {
  ...calls,
  entity: "package_versions",
  recordOf: (row) => String(row["package_id"]),
  refusal: (row) =>
    row["state"] === "draft"
      ? null
      : "A published version stays as it was sold. Start a draft from an earlier version instead.",
};
