import {
  activateFeature,
  actOnFeatures,
  archiveFeature,
  restoreFeature,
} from "@purser/contract/features/endpoints";
import { call } from "#lib/api/call.ts";
import { lifecycleActions } from "#ui/record/lifecycleActions.ts";
import { type Feature, featureSaved, featuresChanged } from "./queries.ts";

const endpoints = {
  activate: activateFeature,
  archive: archiveFeature,
  restore: restoreFeature,
};

export const { activate, archive, restore, applyToMany } = lifecycleActions<Feature>({
  one: "feature",
  act: (act, { id, version }) => call(endpoints[act], { params: { id }, version, body: {} }),
  applyToMany: (act, features) => call(actOnFeatures, { body: { act, features } }),
  onSaved: featureSaved,
  onChanged: () => void featuresChanged(),
});

/** Features that customers were promised are archived, never deleted. */
export const canDelete = ({ status, frozen, packages }: Feature) =>
  status === "draft" && !frozen && packages === 0;
