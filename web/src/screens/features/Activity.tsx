import { t } from "@lingui/core/macro";
import { getFeatureActivity } from "@purser/contract/features/endpoints";
import { featureLabels } from "@purser/contract/features/fields";
import type { Value } from "@purser/contract/fields/values";
import { call } from "#lib/api/call.ts";
import { resetNames } from "#lib/labels/features.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import {
  Activity,
  activityQueryOf,
  historyLabels,
  type LifecycleEvent,
  lifecycleEventOf,
} from "#ui/record/Activity.tsx";
import { lifeOptions } from "#ui/record/lifecycle.tsx";
import {
  anchorLabels,
  combiningLabels,
  enforcementLabels,
  fallbackLabels,
  kindLabels,
  optionList,
} from "./labels.ts";
import type { Feature } from "./queries.ts";

type Labels = Record<string, { label: string } | string | undefined>;

/** The label of a known value; other values are shown as they are. */
const among = (words: Labels) => (value: unknown) => {
  const known = words[String(value)];
  return (typeof known === "object" ? known.label : known) ?? String(value);
};

/** Past values are formatted with the feature's current unit. */
const columnLabels = (feature: Feature, zone: string) =>
  historyLabels(featureLabels, {
    appId: { show: () => feature.app.name },
    kind: { show: among(kindLabels) },
    reset: { show: among(resetNames) },
    anchor: { show: among(anchorLabels) },
    combining: { show: among(combiningLabels) },
    options: { show: (value) => optionList(value as Feature["options"]) },
    defaultValue: { show: (value) => featureValue(feature, value as Value) },
    enforcement: { show: among(enforcementLabels) },
    fallback: { show: among(fallbackLabels) },
    status: { show: among(lifeOptions) },
    activatedAt: { show: (value) => formatDate(zone, new Date(String(value))) },
  });

const titles: Record<LifecycleEvent, string> = {
  created: t`Feature created`,
  changed: t`Feature changed`,
  deleted: t`Feature deleted`,
  activated: t`Feature activated`,
  archived: t`Feature archived`,
  restored: t`Feature restored`,
};

const activityQuery = (id: string) =>
  activityQueryOf("features", id, (query) => call(getFeatureActivity, { params: { id }, query }));

export const FeatureActivity = ({ feature }: { feature: Feature }) => (
  <Activity
    query={activityQuery(feature.id)}
    titleOf={(entry) => titles[lifecycleEventOf(entry)]}
    words={columnLabels(feature, useTimeZone())}
  />
);
