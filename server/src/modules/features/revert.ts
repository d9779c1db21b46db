import {
  archiveFeature,
  changeFeature,
  deleteFeature,
  restoreFeature,
} from "@purser/contract/features/endpoints";
import { feature } from "@purser/contract/features/fields";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
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
    detail: "This part of a feature is changed at the feature.",
    label: "Open the feature",
    pathOf: (id) => `/feature/view/${id}`,
  },
};
