import {
  archiveFeature,
  changeFeature,
  deleteFeature,
  feature,
  restoreFeature,
} from "@purser/contract/features/endpoints";
import type { Reverting } from "#platform/audit/revert.ts";
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
