import { t } from "@lingui/core/macro";
import type { Value } from "@purser/contract/fields/values";
import { getPackageActivity } from "@purser/contract/packages/endpoints";
import { packageLabels } from "@purser/contract/packages/fields";
import { intervals } from "@purser/contract/packages/prices";
import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { money, series } from "#lib/intl.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { labelIn } from "#lib/labels/labelIn.ts";
import { lifecycleStatusNames } from "#lib/labels/lifecycle.ts";
import {
  packageKindNames,
  rolloutModeNames,
  taxCategoryNames,
  visibilityNames,
} from "#lib/labels/packages.ts";
import { versionStates } from "#lib/labels/versionStates.ts";
import { periodLabel } from "#lib/money/prices.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import {
  Activity,
  activityQueryOf,
  type ColumnLabels,
  type Entry,
  historyLabels,
  type LifecycleEvent,
  lifecycleEventOf,
} from "#ui/record/Activity.tsx";
import { type Contents, contentsQuery, type Package, versionsQuery } from "../queries.ts";

const momentLabels = (zone: string) => (value: unknown) =>
  formatExact(zone, new Date(String(value)));

const columnLabels = (stored: Package, zone: string) =>
  historyLabels(packageLabels, {
    kind: { show: labelIn(packageKindNames) },
    visibility: { show: labelIn(visibilityNames) },
    taxCategory: { show: labelIn(taxCategoryNames) },
    status: { show: labelIn(lifecycleStatusNames) },
    activatedAt: { show: momentLabels(zone) },
    packageId: { label: t`Package`, show: () => stored.name },
    number: { label: t`Version` },
    state: { label: t`Status`, show: labelIn(versionStates) },
    note: { label: t`Note` },
    publishAt: { label: t`Goes on sale`, show: momentLabels(zone) },
    publishedAt: { label: t`Published`, show: momentLabels(zone) },
    publishedBy: { label: t`Published by`, show: (_, { actor }) => actor.name ?? t`Unknown` },
    rollout: {
      label: t`Rollout`,
      show: (rollout) =>
        Object.entries(rolloutModeNames).find(([mode]) =>
          JSON.stringify(rollout).includes(`"${mode}"`),
        )?.[1] ?? JSON.stringify(rollout),
    },
  });

const offerPattern = /^([A-Z]{3}) every (\d+) (\w+)$/;

type PerUnit<Key extends string> = { [K in Key]: unknown };

/** A price per unit is an object, all others are numbers. */
const amountText = (given: unknown, currency: string) => {
  if (typeof given !== "object") return money(Number(given), currency);
  const price = money(Number((given as PerUnit<"amount">).amount), currency);
  return t`${price} per unit`;
};

/** A value that is multiplied by the quantity is an object. */
const valueText = (feature: Contents["contents"][number]["features"][number], given: unknown) => {
  if (typeof given !== "object") return featureValue(feature, given as Value);
  const shown = featureValue(feature, (given as PerUnit<"value">).value as Value);
  return t`${shown} × quantity`;
};

/** Each price is a field, named by its currency and interval. */
const offerLabels = (field: string): ColumnLabels => {
  const [, currency = "", intervalCount = "1", named] = offerPattern.exec(field) ?? [];
  const interval = intervals.find((one) => one === named);
  if (!interval) return {};
  const period = periodLabel({ interval, intervalCount: Number(intervalCount) });
  return {
    [field]: {
      label: series([currency, period]),
      show: (given) => amountText(given, currency),
    },
  };
};

const inApp = (feature: string, app: string) => t`${feature} (${app})`;

/** Each app and each feature is a field, named by its id. */
const contentLabels = (contents: Contents["contents"]): ColumnLabels =>
  Object.fromEntries(
    contents.flatMap((app) => [
      [app.id, { label: app.name, show: () => t`Included` }],
      ...app.features.map((feature) => [
        feature.id,
        {
          label: inApp(feature.name, app.name),
          show: (value: unknown) => valueText(feature, value),
        },
      ]),
    ]),
  );

const idPattern = /^[0-9a-f]{8}-/;

const removedLabel = (ending: string) => t`Removed (…${ending})`;

/** Names are known only for what is still in a version. */
const lostLabels = (field: string): ColumnLabels =>
  idPattern.test(field) ? { [field]: { label: removedLabel(field.slice(-4)) } } : {};

const packageTitles: Record<LifecycleEvent, string> = {
  created: t`Package created`,
  changed: t`Package changed`,
  deleted: t`Package deleted`,
  activated: t`Package activated`,
  archived: t`Package archived`,
  restored: t`Package restored`,
};

type VersionTitle = (version: string) => string;

const stateTitles: Record<string, VersionTitle | undefined> = {
  scheduled: (version) => t`${version} scheduled`,
  "on sale": (version) => t`${version} published`,
  superseded: (version) => t`${version} replaced`,
  retired: (version) => t`${version} taken off sale`,
  draft: (version) => t`${version} unscheduled`,
};

const partTitles: Record<string, Record<Entry["action"], VersionTitle> | undefined> = {
  version_values: {
    insert: (version) => t`${version}, values added`,
    update: (version) => t`${version}, values changed`,
    delete: (version) => t`${version}, values removed`,
  },
  version_prices: {
    insert: (version) => t`${version}, prices added`,
    update: (version) => t`${version}, prices changed`,
    delete: (version) => t`${version}, prices removed`,
  },
  version_apps: {
    insert: (version) => t`${version}, apps added`,
    update: (version) => t`${version}, apps changed`,
    delete: (version) => t`${version}, apps removed`,
  },
};

const titleIn = (numbers: Map<string, number>) => (entry: Entry) => {
  const { entity, action, changes, recordId } = entry;
  const told = changes.find(({ field }) => field === "number");
  const number = String(numbers.get(recordId) ?? told?.after ?? told?.before ?? "");
  // A discarded draft is in no list of versions.
  const version = number ? t`Version ${number}` : t`Draft`;
  const part = partTitles[entity];
  if (part) return part[action](version);
  if (entity !== "package_versions") return packageTitles[lifecycleEventOf(entry)];
  if (action === "insert") return number ? t`${version} created as a draft` : t`Draft created`;
  if (action === "delete") return t`${version} discarded`;
  const state = changes.find(({ field }) => field === "state")?.after;
  return stateTitles[String(state)]?.(version) ?? t`${version} changed`;
};

const activityQuery = (id: string) =>
  activityQueryOf("packages", id, (query) => call(getPackageActivity, { params: { id }, query }));

const versionsMax = 12;

/** The history of a package, its versions and their content. */
export const PackageActivity = ({ stored }: { stored: Package }) => {
  const zone = useTimeZone();
  const query = activityQuery(stored.id);
  const { data } = useInfiniteQuery(query);
  const { data: versions = [] } = useQuery(versionsQuery(stored.id));
  const contents = useQueries({
    queries: versions.slice(0, versionsMax).map(({ number }) => contentsQuery(stored.id, number)),
  });
  const fields = new Set(
    data?.pages.flatMap(({ items }) =>
      items.flatMap(({ changes }) => changes.map(({ field }) => field)),
    ),
  );
  const words: ColumnLabels = Object.assign(
    columnLabels(stored, zone),
    ...[...fields].flatMap((field) => [lostLabels(field), offerLabels(field)]),
    ...contents.map((one) => contentLabels(one.data?.contents ?? [])),
  );
  const numbers = new Map(versions.map(({ id, number }) => [id, number]));
  return <Activity query={query} titleOf={titleIn(numbers)} words={words} />;
};
