import { getFeatureActivity } from "@purser/contract/features";
import { type Value, wordsOf } from "@purser/contract/values";
import { call } from "#lib/call.ts";
import { useZone } from "#lib/time.ts";
import { dateIn } from "#lib/zones.ts";
import { Activity, activityQueryOf, type ColumnWords, lifeDeedOf } from "#ui/Activity.tsx";
import { lifeOptions } from "#ui/life.tsx";
import type { Feature } from "./queries.ts";
import {
  combiningWords,
  enforcementWords,
  fallbackWords,
  kindWords,
  optionList,
  resetWords,
} from "./words.ts";

type Labels = Record<string, { label: string } | string | undefined>;

/** How one of known words reads; another stands as it is. */
const among = (words: Labels) => (value: unknown) => {
  const known = words[String(value)];
  return (typeof known === "object" ? known.label : known) ?? String(value);
};

/** The columns of the database as people call them. A value reads as the feature counts today. */
const columnWords = (feature: Feature, zone: string): ColumnWords => ({
  name: { label: "Name" },
  code: { label: "Code" },
  description: { label: "Description" },
  appId: { label: "App", show: () => feature.app.name },
  kind: { label: "Kind", show: among(kindWords) },
  unitOne: { label: "One of it" },
  unitMany: { label: "Several of it" },
  reset: { label: "Full again", show: among(resetWords) },
  combining: { label: "With several packages", show: among(combiningWords) },
  options: { label: "Options", show: (value) => optionList(value as Feature["options"]) },
  defaultValue: { label: "Without a package", show: (value) => wordsOf(feature, value as Value) },
  enforcement: { label: "Going beyond it", show: among(enforcementWords) },
  fallback: { label: "If nobody answers", show: among(fallbackWords) },
  status: { label: "Status", show: among(lifeOptions) },
  activatedAt: {
    label: "First active",
    show: (value) => dateIn(zone, new Date(String(value))),
  },
});

const activityQuery = (id: string) =>
  activityQueryOf("features", id, (query) => call(getFeatureActivity, { params: { id }, query }));

/** What happened to a feature. */
export const FeatureActivity = ({ feature }: { feature: Feature }) => (
  <Activity
    query={activityQuery(feature.id)}
    deedOf={(entry) => lifeDeedOf(entry, "the feature")}
    words={columnWords(feature, useZone())}
  />
);
