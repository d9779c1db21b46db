import { plural } from "@lingui/core/macro";
import {
  activateFeature,
  archiveFeature,
  bulkFeatures,
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
  doneText: {
    activate: (count) =>
      plural(count, { one: "# feature activated", other: "# features activated" }),
    archive: (count) => plural(count, { one: "# feature archived", other: "# features archived" }),
    restore: (count) => plural(count, { one: "# feature restored", other: "# features restored" }),
  },
  apply: (action, { id, version }) =>
    call(endpoints[action], { params: { id }, version, body: {} }),
  applyToMany: (action, features) => call(bulkFeatures, { body: { action, features } }),
  onSaved: featureSaved,
  onChanged: () => void featuresChanged(),
});

/** Features that customers were promised are archived, never deleted. */
export const canDelete = ({ status, frozen, packages }: Feature) =>
  status === "draft" && !frozen && packages === 0;
