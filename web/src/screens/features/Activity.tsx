import { getFeatureActivity } from "@purser/contract/features/endpoints";
import { featureLabels } from "@purser/contract/features/fields";
import { type Value, wordsOf } from "@purser/contract/fields/values";
import { call } from "#lib/api/call.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Activity, activityQueryOf, historyLabels, lifeDeedOf } from "#ui/record/Activity.tsx";
import { lifeOptions } from "#ui/record/lifecycle.tsx";
import {
  combiningLabels,
  enforcementLabels,
  fallbackLabels,
  kindLabels,
  optionList,
  resetLabels,
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
    reset: { show: among(resetLabels) },
    combining: { show: among(combiningLabels) },
    options: { show: (value) => optionList(value as Feature["options"]) },
    defaultValue: { show: (value) => wordsOf(feature, value as Value) },
    enforcement: { show: among(enforcementLabels) },
    fallback: { show: among(fallbackLabels) },
    status: { show: among(lifeOptions) },
    activatedAt: { show: (value) => formatDate(zone, new Date(String(value))) },
  });

const activityQuery = (id: string) =>
  activityQueryOf("features", id, (query) => call(getFeatureActivity, { params: { id }, query }));

export const FeatureActivity = ({ feature }: { feature: Feature }) => (
  <Activity
    query={activityQuery(feature.id)}
    deedOf={(entry) => lifeDeedOf(entry, "the feature")}
    words={columnLabels(feature, useTimeZone())}
  />
);
