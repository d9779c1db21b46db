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
import { message } from "#platform/messages.ts";
import { findPackage } from "./queries.ts";
import { planPriceRevert } from "./versions/priceRevert.ts";

const calls = { find: findPackage, reply: packageReply, change: changePackage };

export const revertingPackages: Reverting = {
  ...calls,
  entity: "packages",
  remove: deletePackage,
  archive: archivePackage,
  restore: restorePackage,
  names: namesByColumn(packageFields),
};

/** Drafts are changed. The prices of a published version are reverted with a new draft. */
export const revertingDrafts: Reverting = {
  ...calls,
  entity: "package_versions",
  recordOf: (row) => String(row["package_id"]),
  refusal: (row) =>
    row["state"] === "draft"
      ? null
      : message(
          "revert_published_version",
          "Published versions can't be changed. Create a draft from an earlier version instead.",
        ),
  draft: planPriceRevert,
};

const label = message("open_package", "Open package");
const openPackage = {
  label,
  pathOf: (_: string, row: Record<string, unknown>) =>
    typeof row["package_id"] === "string" ? `/package/view/${row["package_id"]}` : null,
};
const published = message(
  "revert_published",
  "Published content can't be reverted. Create a draft from an earlier version and publish it.",
);

export const packageRevertAdvice: RevertAdvice = {
  packages: {
    detail: message(
      "revert_package",
      "This change can't be reverted here. Edit the package instead.",
    ),
    label,
    pathOf: (id) => `/package/view/${id}`,
  },
  package_versions: { ...openPackage, detail: published },
  version_apps: { detail: published },
  version_values: { detail: published },
  version_prices: { detail: published },
  rollouts: {
    ...openPackage,
    detail: message(
      "revert_rollout",
      "A rollout can't be reverted. Publish the earlier values as a new version.",
    ),
  },
};
