import { namesByColumn } from "@purser/contract/fields/declarations";
import {
  archivePackage,
  changePackage,
  deletePackage,
  restorePackage,
} from "@purser/contract/packages/endpoints";
import { packageFields, packageReply } from "@purser/contract/packages/fields";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
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

/** Only drafts, because a published version never changes. */
export const revertingDrafts: Reverting = {
  ...calls,
  entity: "package_versions",
  recordOf: (row) => String(row["package_id"]),
  refusal: (row) =>
    row["state"] === "draft"
      ? null
      : "A published version stays as it was sold. Start a draft from an earlier version instead.",
};

const openPackage = {
  label: "Open the package",
  pathOf: (_: string, row: Record<string, unknown>) =>
    typeof row["package_id"] === "string" ? `/package/view/${row["package_id"]}` : null,
};
const published =
  "What was published or sold stays as it was. Start a draft from an earlier version and publish that.";

export const packageRevertAdvice: RevertAdvice = {
  packages: {
    detail: "This part of a package is changed at the package.",
    label: "Open the package",
    pathOf: (id) => `/package/view/${id}`,
  },
  package_versions: { ...openPackage, detail: published },
  version_apps: { detail: published },
  version_values: { detail: published },
  version_prices: { detail: published },
  rollouts: {
    ...openPackage,
    detail: "Holders who moved stay. Publish the earlier values as a new version.",
  },
};
