import {
  archiveFeature,
  changeFeature,
  deleteFeature,
  restoreFeature,
} from "@purser/contract/features/endpoints";
import { feature } from "@purser/contract/features/fields";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";
import { findFeature } from "./queries.ts";

export const revertingFeatures: Reverting = {
  entity: "features",
  find: findFeature,
  reply: feature,
  change: changeFeature,
  remove: deleteFeature,
  archive: archiveFeature,
  restore: restoreFeature,
};

export const featureRevertAdvice: RevertAdvice = {
  features: {
    detail: message(
      "revert_feature",
      "This change can't be reverted here. Edit the feature instead.",
    ),
    label: message("open_feature", "Open feature"),
    pathOf: (id) => `/feature/view/${id}`,
  },
};
